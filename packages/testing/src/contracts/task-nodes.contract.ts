import { type ContractRunner, defineContract } from './define-contract.js';
import { taskNodesCases } from './task-nodes/task-nodes.cases.js';
import { nodesFixtureOf } from './task-nodes/task-nodes.fixture.js';
import type { TaskStoreContractSubject } from './task-store/task-store.fixture.js';

/**
 * Checks the promises of applications over one store, for a store with a `runIndex` and a `changeFeed`: takeover,
 * fences, hand-over, cancelling and pushes across nodes. Real applications in real time, so each case takes a second or
 * two; `peer` makes the store of each further node.
 */
export function taskNodesContract(runner: ContractRunner, subject: TaskStoreContractSubject): void {
  defineContract(runner, { name: `Nodes over ${subject.name} share their tasks`, cases: taskNodesCases, fixture: nodesFixtureOf(subject) });
}
