import * as fc from 'fast-check';
import {
  cancelled,
  completed,
  InMemoryTaskStore,
  isTerminal,
  newTaskId,
  type TaskKey,
  taskKeyOf,
  type TaskRecord,
  withStatusMessage,
} from '@mocapi/tasks';
import { FakeClock, sampleDraft } from '@mocapi/testing';

const PRINCIPAL = { id: 'alice' };
const IDS = [newTaskId(), newTaskId(), newTaskId()];

/** What a task is, in as few words as possible. */
interface Model {
  readonly createdAt: number;
  readonly ttlMs: number;
  lastUpdatedAt: number;
  version: number;
  status: string;
  text: string | undefined;
}

interface World {
  readonly clock: FakeClock;
  readonly store: InMemoryTaskStore;
  readonly tasks: Map<string, Model>;
}

const task = fc.constantFrom(...IDS);
const ttl = fc.integer({ min: 1, max: 40 });
const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const), task, ttl }),
  fc.record({ do: fc.constant('get' as const), task }),
  fc.record({ do: fc.constant('text' as const), task, text: fc.constantFrom('a', 'b') }),
  fc.record({ do: fc.constant('cancel' as const), task }),
  fc.record({ do: fc.constant('complete' as const), task }),
  fc.record({ do: fc.constant('delete' as const), task }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 30 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const keyOf = (id: string): TaskKey => taskKeyOf(PRINCIPAL, id);

function essence(record: TaskRecord | undefined): Model | undefined {
  if (record === undefined) return undefined;
  const { createdAt, ttlMs, lastUpdatedAt, version, status, statusMessage } = record;
  return { createdAt, ttlMs: ttlMs!, lastUpdatedAt, version, status, text: statusMessage };
}

function living({ clock, tasks }: World, id: string): Model | undefined {
  const model = tasks.get(id);
  return model !== undefined && clock.now() <= model.createdAt + model.ttlMs ? model : undefined;
}

async function create(world: World, id: string, ttlMs: number): Promise<void> {
  const draft = sampleDraft({ taskId: id, principal: PRINCIPAL, ttlMs });
  const now = world.clock.now();
  if (living(world, id)) return expect(world.store.create(draft)).rejects.toThrow('already exists');
  world.tasks.set(id, { createdAt: now, ttlMs, lastUpdatedAt: now, version: 1, status: 'working', text: undefined });
  expect(essence(await world.store.create(draft))).toEqual(world.tasks.get(id));
}

async function change(
  world: World,
  id: string,
  to: { status?: string; text?: string; by: (record: TaskRecord) => TaskRecord },
): Promise<void> {
  const model = living(world, id);
  const { status = model?.status ?? '', text = model?.text } = to;
  if (model && !isTerminal(model.status as TaskRecord['status']) && (status !== model.status || text !== model.text)) {
    Object.assign(model, { status, text, version: model.version + 1, lastUpdatedAt: world.clock.now() });
  }
  expect(essence(await world.store.update(keyOf(id), to.by))).toEqual(model);
}

async function take(world: World, step_: Step): Promise<void> {
  switch (step_.do) {
    case 'create':
      return create(world, step_.task, step_.ttl);
    case 'get':
      return expect(essence(await world.store.get(keyOf(step_.task)))).toEqual(living(world, step_.task));
    case 'text':
      return change(world, step_.task, { text: step_.text, by: (record) => withStatusMessage(record, step_.text) });
    case 'cancel':
      return change(world, step_.task, { status: 'cancelled', by: (record) => cancelled(record) });
    case 'complete':
      return change(world, step_.task, { status: 'completed', by: (record) => completed(record, { resultType: 'complete', content: [] }) });
    case 'delete':
      world.tasks.delete(step_.task);
      return world.store.delete(keyOf(step_.task));
    case 'pass':
      return world.clock.advance(step_.ms);
  }
}

it('the in-memory store does what the model does, whatever the order of events (the seed is printed on failure)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const clock = new FakeClock(1_000_000);
      const world: World = { clock, store: new InMemoryTaskStore(clock, { sweepIntervalMs: 7 }), tasks: new Map() };
      for (const each of steps) {
        await take(world, each);
        expect(clock.pendingTimers).toBeLessThanOrEqual(1);
      }
      for (const id of IDS) await take(world, { do: 'get', task: id });
      await clock.advance(100);
      expect([world.store.size, clock.pendingTimers]).toEqual([0, 0]);
    }),
    { numRuns: 300 },
  );
});
