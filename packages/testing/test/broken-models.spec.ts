import type { Clock, TaskStore } from '@mocapi/tasks';
import type { TaskStoreContractOptions, TaskStoreContractSubject } from '@mocapi/testing';
import { checkAtOnce, checkOneByOne } from '../../../test/support/task-store-model/describe-store-model.js';
import {
  EndsEarly,
  FlattersLosers,
  LosesUpdates,
  Merges,
  Overwrites,
  Prolongs,
  ReadsExpired,
  RunsMutationsOften,
  WritesAlways,
} from './broken-stores.js';

type StoreClass = new (clock: Clock, options: TaskStoreContractOptions) => TaskStore;

const subjectOf = (Store: StoreClass): TaskStoreContractSubject => ({
  name: Store.name,
  create: (clock, options) => new Store(clock, options),
});

describe('the model of a store', () => {
  it.each([Overwrites, Merges, Prolongs, ReadsExpired, EndsEarly, WritesAlways])(
    'finds out %p by one change after the other',
    async (Store) => {
      // The rarest is found in one sequence of some hundred: with as many as these, none is missed by chance.
      await expect(checkOneByOne(subjectOf(Store), 5_000)).rejects.toThrow(/seed/);
    },
    60_000,
  );

  it.each([LosesUpdates, FlattersLosers])(
    'finds out %p by changes at once',
    async (Store) => {
      await expect(checkAtOnce(subjectOf(Store), 3_000)).rejects.toThrow(/seed/);
    },
    60_000,
  );

  it('lets a store run a mutation as often as it likes', async () => {
    await checkOneByOne(subjectOf(RunsMutationsOften), 50);
    await checkAtOnce(subjectOf(RunsMutationsOften), 50);
  });
});
