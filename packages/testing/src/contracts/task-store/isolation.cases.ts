import assert from 'node:assert/strict';
import { inputRequired, newTaskId, type TaskDraft, type TaskRecord, taskKeyOf } from '@mocapi/tasks';
import { sampleDraft } from '../../fakes/sample-task.js';
import { change, given, keyOf, leavesUntouched, read, rejectsWith, snapshot, type TaskStoreCase } from './task-store.fixture.js';
import { QUESTION, questionSlot } from './task-store.samples.js';

/** Overwrites whatever of a record can be written. */
function scribble(record: unknown): void {
  const { arguments: args, ledger } = record as { arguments: { nested?: { list: unknown[] } }; ledger: unknown[] };
  const attempts = [
    () => ((record as { statusMessage: string }).statusMessage = 'scribbled'),
    () => args.nested?.list.push('scribbled'),
    () => ledger.push('scribbled'),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch {
      // It is frozen, which protects the store as well as a copy does.
    }
  }
}

const nested = () => sampleDraft({ arguments: { nested: { list: ['a'] } } });

/** JSON values that some stores have lost. */
const DEEP = JSON.parse(
  '{"empty":{},"none":[],"null":null,"zero":0,"big":9007199254740991,"small":5e-324,"deep":[[[{"a":[{"b":{"c":[1,[2]]}}]}]]],' +
    '"text":"é – \\u0000 \\ud83d\\ude00 \\"quoted\\"\\n","":"empty key","10":"ten","2":"two","__proto__":{"own":true},"constructor":"c"}',
) as TaskDraft['arguments'];

function cyclic(): unknown {
  const ring: { self?: unknown } = {};
  ring.self = ring;
  return ring;
}

const NOT_JSON: readonly (readonly [label: string, value: unknown, path: string])[] = [
  ['a BigInt', { n: 1n }, 'arguments.bad.n'],
  ['a cycle', cyclic(), 'arguments.bad.self'],
  ['a Date', [new Date(0)], 'arguments.bad[0]'],
  ['a Map', { 'a b': new Map() }, 'arguments.bad["a b"]'],
  ['a Set', new Set(), 'arguments.bad'],
  ['NaN', { x: [Number.NaN] }, 'arguments.bad.x[0]'],
  ['Infinity', Number.POSITIVE_INFINITY, 'arguments.bad'],
  ['a function', { f: () => 1 }, 'arguments.bad.f'],
  ['a symbol', Symbol('s'), 'arguments.bad'],
  ['undefined in an array', [1, undefined], 'arguments.bad[1]'],
  ['bytes', new Uint8Array(2), 'arguments.bad'],
];

/** Promises about values and identities. */
export const isolationCases: readonly TaskStoreCase[] = [
  {
    promise: 'changes of a caller to its draft after create do not reach the store',
    async check({ store }) {
      const draft = nested();
      const record = snapshot(await store.create(draft));
      scribble(draft);
      assert.deepEqual(await read(store, keyOf(record)), record);
    },
  },
  {
    promise: 'changes of a caller to a record that it got do not reach the store',
    async check({ store }) {
      const created = await store.create(nested());
      const before = snapshot(created);
      scribble(created);
      scribble(await read(store, keyOf(before)));
      scribble(await change(store, keyOf(before), (record) => record));
      assert.deepEqual(await read(store, keyOf(before)), before);
    },
  },
  {
    promise: 'objects that a caller keeps of a mutation do not reach the store',
    async check({ store }) {
      const { key } = await given(store);
      const kept = { list: ['a'] };
      const record = snapshot(await change(store, key, (current) => ({ ...current, arguments: { nested: kept } })));
      kept.list.push('scribbled');
      assert.deepEqual(await read(store, key), record);
    },
  },
  {
    promise: 'a mutation that writes to the record it was given, and returns it, changes nothing',
    async check(fixture) {
      const { store } = fixture;
      const key = keyOf(await store.create(nested()));
      await leavesUntouched(fixture, key, () => store.update(key, (record: TaskRecord) => (scribble(record), record)));
    },
  },
  {
    promise: 'every JSON value comes back unchanged',
    async check({ store, peer }) {
      const draft = sampleDraft({ arguments: DEEP, clientInfo: { name: 'c', version: '1' }, traceContext: { traceparent: '00-a-b-01' } });
      const key = keyOf(await store.create(draft));
      assert.deepEqual((await read(peer, key)).arguments, DEEP);
      assert.equal(JSON.stringify((await read(peer, key)).arguments), JSON.stringify(DEEP));
      const asked = await change(store, key, (record) => inputRequired(record, { all: QUESTION }, [questionSlot('all')]));
      assert.deepEqual((await read(peer, key)).inputRequests, { all: QUESTION });
      assert.deepEqual(asked.arguments, DEEP);
    },
  },
  {
    promise: 'a member that is undefined is left out',
    async check({ store }) {
      const draft = sampleDraft({ statusMessage: undefined as never, arguments: { a: undefined as never, b: 1 } });
      const record = await read(store, keyOf(await store.create(draft)));
      assert.equal(Object.hasOwn(record, 'statusMessage'), false);
      assert.deepEqual(Object.keys(record.arguments), ['b']);
    },
  },
  ...NOT_JSON.map(([label, value, path]): TaskStoreCase => ({
    promise: `create and update reject ${label}, naming its path, and store nothing`,
    async check(fixture) {
      const { store } = fixture;
      const draft = sampleDraft({ arguments: { bad: value as never } });
      const refusal = await rejectsWith('NotJsonError', () => store.create(draft));
      assert.equal((refusal as { path?: unknown }).path, path);
      assert.equal(await store.get(keyOf(draft)), undefined);
      const { key } = await given(store);
      const update = () => store.update(key, (record) => ({ ...record, arguments: draft.arguments }));
      await leavesUntouched(fixture, key, () => rejectsWith('NotJsonError', update));
    },
  })),
  {
    promise: 'one task id under two principals and under none is three tasks',
    async check({ store }) {
      const taskId = newTaskId();
      const { principal: _principal, ...anonymous } = sampleDraft({ taskId, toolName: 'of nobody' });
      await store.create(sampleDraft({ taskId, toolName: 'of alice' }));
      await store.create(sampleDraft({ taskId, principal: { id: 'bob' }, toolName: 'of bob' }));
      await store.create(anonymous);
      const names = [{ id: 'alice' }, { id: 'bob' }, undefined].map(async (who) => (await read(store, taskKeyOf(who, taskId))).toolName);
      assert.deepEqual(await Promise.all(names), ['of alice', 'of bob', 'of nobody']);
    },
  },
  {
    promise: "another caller's task and one that never existed are missing in the same way",
    async check({ store }) {
      const { record } = await given(store);
      const foreign = taskKeyOf({ id: 'mallory' }, record.taskId);
      const unknown = taskKeyOf({ id: 'mallory' }, newTaskId());
      for (const key of [foreign, unknown]) {
        assert.equal(await store.get(key), undefined);
        assert.equal(await store.update(key, (current) => ({ ...current, statusMessage: 'mine now' })), undefined);
        await store.delete(key);
      }
      assert.deepEqual(await read(store, keyOf(record)), record);
    },
  },
];
