import { type ContractRunner, defineContract } from './define-contract.js';
import { changeFeedCases } from './task-seams/change-feed.cases.js';
import { runIndexCases } from './task-seams/run-index.cases.js';
import { casesFor, fixtureOf, type TaskStoreContractSubject } from './task-store/task-store.fixture.js';

/** Everything the `changeFeed` of a store promises. For stores that have one. */
export function taskChangeFeedContract(runner: ContractRunner, subject: TaskStoreContractSubject): void {
  const name = `${subject.name} keeps the TaskChangeFeed contract`;
  defineContract(runner, { name, cases: casesFor(subject, changeFeedCases), fixture: fixtureOf(subject) });
}

/** Everything the `runIndex` of a store promises. For stores that have one. */
export function taskRunIndexContract(runner: ContractRunner, subject: TaskStoreContractSubject): void {
  const name = `${subject.name} keeps the TaskRunIndex contract`;
  defineContract(runner, { name, cases: casesFor(subject, runIndexCases), fixture: fixtureOf(subject) });
}
