import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { firstRun, newTaskId, type TaskKey, taskKeyOf, type TaskStore } from '@mocapi/tasks';
import { type FakeClock, sampleDraft } from '@mocapi/testing';
import { answer, ask, cancel, type Change, complete, fail, live, say, takeOver } from './changes.js';
import { essence, type StoreModel } from './model.js';

/** The store under test: two handles on the same data, as two nodes have them. */
export interface StoreUnderTest {
  readonly nodes: readonly TaskStore[];
  readonly clock: FakeClock;
}

export type StoreCommand = fc.AsyncCommand<StoreModel, StoreUnderTest>;

const PRINCIPAL = { id: 'alice' };
export const IDS = [newTaskId(), newTaskId()];
const RUNS = ['run-1', 'run-2', 'run-3'];
const KEYS = ['a', 'b', 'c'];

export function keyOf(id: string): TaskKey {
  return taskKeyOf(PRINCIPAL, id);
}

/** What may befall a store, in any order. */
export function storeCommands(): fc.Arbitrary<StoreCommand>[] {
  const where = { id: fc.constantFrom(...IDS), node: fc.nat({ max: 1 }) };
  const at = fc.record(where);
  const changes = changeArbitrary();
  return [
    fc.record({ ...where, ttlMs: fc.integer({ min: 1, max: 60 }), run: fc.constantFrom(...RUNS) }).map(create),
    at.map(get),
    at.map(remove),
    fc.integer({ min: 0, max: 30 }).map(pass),
    ...Array.from({ length: 6 }, () =>
      fc.tuple(at, changes, fc.boolean()).map(([place, change, isHeard]) => update(place, change, isHeard)),
    ),
  ];
}

/** Any change that the engine makes. */
export function changeArbitrary(): fc.Arbitrary<Change> {
  const run = fc.constantFrom(...RUNS);
  const keys = fc.subarray(KEYS, { minLength: 1 });
  return fc.oneof(
    fc.constantFrom('x', 'y').map(say),
    fc.constant(cancel()),
    fc.constant(fail()),
    run.map(complete),
    fc.tuple(run, keys).map(([id, asked]) => ask(id, asked)),
    { weight: 2, arbitrary: fc.tuple(run, keys).map(([id, given]) => answer(id, given)) },
    fc.tuple(run, run).map(([dead, id]) => takeOver(dead, id)),
    fc.constantFrom(5, 40, 80).map(live),
  );
}

interface Place {
  readonly id: string;
  readonly node: number;
}

function create({ id, node, ttlMs, run }: Place & { ttlMs: number; run: string }): StoreCommand {
  const claim = { owner: 'node', id: run };
  const draft = sampleDraft({ taskId: id, principal: PRINCIPAL, ttlMs, run: firstRun(claim) });
  return command(`create ${IDS.indexOf(id)} on ${node} for ${ttlMs} ms as ${run}`, async (model, { nodes }) => {
    const creating = nodes[node]!.create(draft);
    if (model.get(id)) return assert.rejects(creating, { name: 'TaskAlreadyExistsError' });
    model.create(id, { ttlMs, run: firstRun(claim) });
    assert.deepEqual(essence(await creating), model.get(id));
  });
}

function get({ id, node }: Place): StoreCommand {
  return command(`get ${IDS.indexOf(id)} on ${node}`, async (model, { nodes }) =>
    assert.deepEqual(essence(await nodes[node]!.get(keyOf(id))), plain(model.get(id))),
  );
}

/** A change; or one whose reply is lost, so that whoever made it makes it again and reads in the record what became of it. */
function update({ id, node }: Place, { name, mutate, expected }: Change, isHeard: boolean): StoreCommand {
  return command(`${name} on ${node} in ${IDS.indexOf(id)}${isHeard ? '' : ', twice'}`, async (model, { nodes }) => {
    if (!isHeard) {
      model.change(id, expected);
      await nodes[node]!.update(keyOf(id), mutate);
    }
    assert.deepEqual(essence(await nodes[node]!.update(keyOf(id), mutate)), plain(model.change(id, expected)));
  });
}

function remove({ id, node }: Place): StoreCommand {
  return command(`delete ${IDS.indexOf(id)} on ${node}`, async (model, { nodes }) => {
    model.delete(id);
    await nodes[node]!.delete(keyOf(id));
  });
}

function pass(ms: number): StoreCommand {
  return command(`${ms} ms pass`, async (model, { clock }) => {
    await clock.advance(ms);
    model.now = clock.now();
  });
}

function command(text: string, run: (model: StoreModel, real: StoreUnderTest) => Promise<void>): StoreCommand {
  return { check: () => true, run, toString: () => text };
}

/** Without members that are undefined. */
function plain<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}
