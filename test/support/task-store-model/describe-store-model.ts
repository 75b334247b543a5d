import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { firstRun, newTaskId, type TaskRecord, type TaskStore, taskKeyOf } from '@mocapi/tasks';
import { FakeClock, sampleDraft, type TaskStoreContractSubject } from '@mocapi/testing';
import type { Change } from './changes.js';
import { changeArbitrary, IDS, keyOf, storeCommands, type StoreUnderTest } from './commands.js';
import { essence, StoreModel } from './model.js';

/** How much of it is run. */
export interface StoreModelRuns {
  readonly oneByOne: number;
  readonly atOnce: number;
}

/** Tests of a store against a model of thirty lines: any sequence of what the engine does, and any number of changes at once. */
export function describeStoreModel(subject: TaskStoreContractSubject, { oneByOne, atOnce }: StoreModelRuns): void {
  describe(`${subject.name} against its model`, () => {
    it(
      `does in ${oneByOne} sequences of creations, changes, expiries and lost replies on two nodes what the model does`,
      () => checkOneByOne(subject, oneByOne),
      120_000,
    );

    it(
      `answers ${atOnce} times many changes at once as if they had come one after the other, in the order of their versions`,
      () => checkAtOnce(subject, atOnce),
      120_000,
    );
  });
}

/** @throws Error with the seed and the shortest sequence in which the store does something else than the model */
export function checkOneByOne(subject: TaskStoreContractSubject, numRuns: number): Promise<void> {
  const commands = fc.commands(storeCommands(), { maxCommands: 40, size: 'max' });
  const property = fc.asyncProperty(commands, (sequence) =>
    withStores(subject, async (real) => {
      const model = new StoreModel();
      model.now = real.clock.now();
      await fc.asyncModelRun(() => ({ model, real }), sequence);
      for (const id of IDS) await real.nodes[0]!.delete(keyOf(id));
    }),
  );
  return fc.assert(property, { numRuns });
}

/** @throws Error with the seed and the fewest changes for whose replies there is no order */
export function checkAtOnce(subject: TaskStoreContractSubject, numRuns: number): Promise<void> {
  const writers = fc.array(fc.array(changeArbitrary(), { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 5 });
  const property = fc.asyncProperty(fc.scheduler(), writers, (scheduler, plans) =>
    withStores(subject, (real) => writeAtOnce(real, scheduler, plans)),
  );
  return fc.assert(property, { numRuns });
}

async function withStores(subject: TaskStoreContractSubject, use: (real: StoreUnderTest) => Promise<void>): Promise<void> {
  const clock = new FakeClock();
  const store = await subject.create(clock, { allowUnlimitedTtl: false });
  const peer = (await subject.peer?.(store, clock)) ?? store;
  try {
    await use({ nodes: [store, peer], clock });
  } finally {
    if (peer !== store) await subject.dispose?.(peer);
    await subject.dispose?.(store);
  }
}

interface Outcome {
  readonly change: Change;
  readonly record: TaskRecord;
}

async function writeAtOnce({ nodes }: StoreUnderTest, scheduler: fc.Scheduler, plans: readonly (readonly Change[])[]): Promise<void> {
  const taskId = newTaskId();
  // A change of the ttl could end the task: then nothing would be left to compare.
  const first = await nodes[0]!.create(sampleDraft({ taskId, run: firstRun({ owner: 'node', id: 'run-1' }) }));
  const key = taskKeyOf(first.principal, taskId);
  const outcomes: Outcome[] = [];
  const write = async (node: TaskStore, plan: readonly Change[]): Promise<void> => {
    for (const change of plan) {
      await scheduler.schedule(Promise.resolve(), change.name);
      outcomes.push({ change, record: (await node.update(key, change.mutate))! });
    }
  };
  const writing = Promise.all(plans.map((plan, index) => write(nodes[index % nodes.length]!, plan)));
  await scheduler.waitFor(writing);
  checkOrder(first, outcomes);
  await nodes[0]!.delete(key);
}

/** Each record that came back is what its change makes of the record before, or what it leaves as it is. */
function checkOrder(first: TaskRecord, outcomes: readonly Outcome[]): void {
  const byVersion = new Map([[1, first]]);
  for (const { record } of outcomes) {
    const known = byVersion.get(record.version);
    if (known) assert.deepEqual(record, known, `version ${record.version} is not the same for all`);
    byVersion.set(record.version, record);
  }
  const unexplained = new Set(byVersion.keys());
  unexplained.delete(1);
  for (const { change, record } of outcomes) {
    const isIdle = change.mutate(record) === record && !makes(byVersion.get(record.version - 1), change, record);
    if (isIdle) continue;
    assert(makes(byVersion.get(record.version - 1), change, record), `${change.name} does not lead to version ${record.version}`);
    unexplained.delete(record.version);
  }
  assert.deepEqual([...unexplained], [], 'a version is no change of anybody');
}

function makes(before: TaskRecord | undefined, change: Change, after: TaskRecord): boolean {
  if (!before) return false;
  const next = change.mutate(before);
  if (next === before) return false;
  const { version, lastUpdatedAt } = after;
  return JSON.stringify(essence({ ...next, version, lastUpdatedAt })) === JSON.stringify(essence(after));
}
