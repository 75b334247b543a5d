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
