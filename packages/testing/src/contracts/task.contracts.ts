import { type ContractRunner, defineContract } from './define-contract.js';
import { boundsCases } from './task-store/bounds.cases.js';
import { concurrencyCases } from './task-store/concurrency.cases.js';
import { createCases } from './task-store/create.cases.js';
import { deleteCases } from './task-store/delete.cases.js';
import { expiryCases } from './task-store/expiry.cases.js';
import { isolationCases } from './task-store/isolation.cases.js';
import { ledgerCases } from './task-store/ledger.cases.js';
import { casesFor, fixtureOf, type TaskStoreCase, type TaskStoreContractSubject } from './task-store/task-store.fixture.js';
import { terminalCases } from './task-store/terminal.cases.js';
import { updateCases } from './task-store/update.cases.js';
import { changeFeedCases } from './task-seams/change-feed.cases.js';
import { runIndexCases } from './task-seams/run-index.cases.js';
import { taskNodesCases } from './task-nodes/task-nodes.cases.js';
import { nodesFixtureOf } from './task-nodes/task-nodes.fixture.js';

const ALL_CASES: readonly TaskStoreCase[] = [
  ...createCases,
  ...updateCases,
  ...concurrencyCases,
  ...terminalCases,
  ...expiryCases,
  ...isolationCases,
  ...ledgerCases,
  ...deleteCases,
  ...boundsCases,
];

/**
 * Everything a `TaskStore` promises, as tests of your runner:
 *
 * ```ts
 * import { describe, it } from 'node:test';
 * taskStoreContract({ describe, it }, { name: 'MyTaskStore', create: (clock) => new MyTaskStore(clock) });
 * ```
 */
export function taskStoreContract(runner: ContractRunner, subject: TaskStoreContractSubject): void {
  const name = `${subject.name} keeps the TaskStore contract`;
  defineContract(runner, { name, cases: casesFor(subject, ALL_CASES), fixture: fixtureOf(subject) });
}

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

/**
 * Checks the promises of applications over one store, for a store with a `runIndex` and a `changeFeed`: takeover,
 * fences, hand-over, cancelling and pushes across nodes. Real applications in real time, so each case takes a second or
 * two; `peer` makes the store of each further node.
 */
export function taskNodesContract(runner: ContractRunner, subject: TaskStoreContractSubject): void {
  defineContract(runner, { name: `Nodes over ${subject.name} share their tasks`, cases: taskNodesCases, fixture: nodesFixtureOf(subject) });
}
