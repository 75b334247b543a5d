import type { Clock, TaskStore } from '@mocapi/tasks';
import { CollectingRunner, taskStoreContract, type ContractOutcome, type TaskStoreContractOptions } from '@mocapi/testing';
import {
  EndsEarly,
  FlattersLosers,
  IgnoresFences,
  KeepsViews,
  LosesUpdates,
  Merges,
  NaiveStore,
  NeverCounts,
  Overwrites,
  OverwritesSlots,
  Prolongs,
  ReadsExpired,
  RunsMutationsOften,
  WritesAlways,
} from './broken-stores.js';

type StoreClass = new (clock: Clock, options: TaskStoreContractOptions) => TaskStore;

function outcomesOf(Store: StoreClass): Promise<readonly ContractOutcome[]> {
  const runner = new CollectingRunner();
  taskStoreContract(runner, { name: Store.name, create: (clock, options) => new Store(clock, options) });
  return runner.run();
}

async function brokenPromisesOf(Store: StoreClass): Promise<readonly string[]> {
  return (await outcomesOf(Store)).filter(({ error }) => error !== undefined).map(({ promise }) => promise);
}

/** A store with one fault, and the promises it breaks above all. */
const WITH_ONE_FAULT: readonly (readonly [Store: StoreClass, promises: readonly string[]])[] = [
  [
    LosesUpdates,
    [
      'however many writers there are at once, no change is lost',
      'however often a mutation is run, its change is committed once',
      'of many claimants of one run, exactly one finds itself in the record that comes back',
      'of a cancellation and a completion at once, the first commit wins, and both get the same end',
    ],
  ],
  [
    FlattersLosers,
    [
      'of many claimants of one run, exactly one finds itself in the record that comes back',
      'the same answer, given many times at once, is accepted once and begins one run',
    ],
  ],
  [
    WritesAlways,
    [
      'returning the same object writes nothing, changes neither time nor version, and resolves to the record',
      'nothing changes a task once it is completed, not even its times',
      'nothing changes a task once it is failed, not even its times',
      'nothing changes a task once it is cancelled, not even its times',
      'a late write under the fence of a run that was taken over changes nothing',
    ],
  ],
  [Merges, ['a member that the mutation leaves out is removed']],
  [Prolongs, ['a change does not prolong the life of a task']],
  [
    Overwrites,
    [
      'create on a live key rejects with TaskAlreadyExistsError and leaves the task untouched',
      'of many creates of one key at once exactly one succeeds, and its record is the one stored',
    ],
  ],
  [ReadsExpired, ['an expired task cannot be read']],
  [EndsEarly, ['at its very deadline a task can still be read and changed']],
  [NeverCounts, ['each committed change adds exactly 1 to the version']],
  [
    IgnoresFences,
    [
      'recordEntry writes nothing for a run that was taken over, and says so',
      'recordEntry writes nothing once the task waits for input or has ended',
    ],
  ],
  [OverwritesSlots, ['recordEntry leaves an answered slot as it is, and resolves to true all the same']],
  [KeepsViews, ['a view is the task without its ledger, on any node, as it is after each change']],
];

describe('the store contract', () => {
  it.each(WITH_ONE_FAULT)('finds out %p', async (Store, promises) => {
    const outcomes = await outcomesOf(Store);
    const broken = outcomes.filter(({ error }) => error !== undefined).map(({ promise }) => promise);
    expect(broken).toEqual(expect.arrayContaining([...promises]));
    // A contract that fails on everything would prove nothing: of the promises, one fault breaks one in six at most.
    expect(broken.length).toBeLessThanOrEqual(outcomes.length / 6);
  });

  it('finds out a store that shares its objects and refuses nothing', async () => {
    expect(await brokenPromisesOf(NaiveStore)).toEqual(
      expect.arrayContaining([
        'a task of an endpoint is kept under the key of that endpoint, and under no other',
        'changes of a caller to its draft after create do not reach the store',
        'changes of a caller to a record that it got do not reach the store',
        'objects that a caller keeps of a mutation do not reach the store',
        'a mutation that writes to the record it was given, and returns it, changes nothing',
        'times and version that a mutation sets are ignored',
        'create rejects a ttlMs that is not a whole number of at least 1, and stores nothing',
        'create rejects ttlMs null unless unlimited tasks are allowed',
        'a mutation that returns nothing makes update reject and writes nothing',
        'a mutation that returns a promise makes update reject and writes nothing',
        'a mutation can change neither the task id nor the principal nor the endpoint',
        'a mutation that sets an invalid ttlMs makes update reject and writes nothing',
        'create and update reject a BigInt, naming its path, and store nothing',
        'create and update reject a Date, naming its path, and store nothing',
      ]),
    );
  });

  it('lets a store run a mutation as often as it likes', async () => {
    expect(await brokenPromisesOf(RunsMutationsOften)).toEqual([]);
  });
});
