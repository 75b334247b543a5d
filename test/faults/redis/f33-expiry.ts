import type { Redis } from 'ioredis';
import { type TaskKey, taskKeyOf, type TaskRecord, type TaskStore } from '@mocapi/tasks';
import { sampleDraft } from '@mocapi/testing';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { freshPrefix, openStore } from './support/open-store.js';
import { startServer } from './support/start-server.js';

const TASKS = { short: 30, long: 500 } as const;
const AT_ONCE = 10;
const TTL_MS = 60;

/** Tasks reach their deadline by the clock of Redis, which is looked at all the while. */
export const expiry: Fault = {
  id: 'F33',
  title: 'a task can be read at its deadline and not a millisecond later, and nothing revives it',
  run: (scale) => withCleanup((cleanup) => run(scale, cleanup)),
};

/** In whole ms of Redis after the deadline: until when a task was there for sure, and from when on it was gone for sure. */
interface Life {
  readonly lastAlive: number;
  readonly firstGone: number;
  /** In how many ways it could still be reached afterwards. */
  readonly revived: number;
}

async function run(scale: FaultScale, cleanup: Cleanup): Promise<FaultReport> {
  const server = await startServer(cleanup);
  const prefix = freshPrefix();
  const store = await openStore(cleanup, server.url, { prefix });
  const witness = server.client();
  const lives: Life[] = [];
  while (lives.length < TASKS[scale])
    lives.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => liveAndDie(store, witness, prefix)))));
  const shortened = await dieByMutation(store, witness, prefix);
  const lastAlive = Math.max(...lives.map((life) => life.lastAlive));
  const firstGone = Math.min(...lives.map((life) => life.firstGone));
  const revived = lives.reduce((sum, life) => sum + life.revived, 0) + shortened;
  return {
    injected: `${lives.length} deadlines, and one that a mutation set into the past`,
    fired: evidence(lives.filter((life) => life.firstGone < Infinity).length, 'tasks seen to be gone by Redis itself'),
    expected: 'none there later than 0 ms after its deadline, none gone sooner than 1 ms after it, none revived',
    seen: `last there ${lastAlive} ms, first gone ${firstGone} ms after the deadline, ${revived} revived`,
    held: lastAlive <= 0 && firstGone >= 1 && revived === 0,
  };
}

async function liveAndDie(store: TaskStore, witness: Redis, prefix: string): Promise<Life> {
  const { key, record } = await given(store, TTL_MS);
  const deadline = record.createdAt + TTL_MS;
  let [lastAlive, firstGone] = [-Infinity, Infinity];
  for (let now = 0; now <= deadline + 3;) {
    const look = await lookAt(witness, prefix + key);
    now = look.before;
    // It was asked for between the two: what is there then was there at the first, what is gone is gone at the second.
    if (look.isThere) lastAlive = Math.max(lastAlive, look.before - deadline);
    else firstGone = Math.min(firstGone, look.after - deadline);
  }
  return { lastAlive, firstGone, revived: await revivals(store, key) };
}

/** Whether Redis has the key, and the whole ms of its own clock before and after it was asked. */
async function lookAt(witness: Redis, name: string): Promise<{ isThere: boolean; before: number; after: number }> {
  const replies = (await witness.multi().time().exists(name).time().exec())!.map(([, reply]) => reply);
  const ms = (time: unknown) => Number((time as [string, string])[0]) * 1000 + Math.floor(Number((time as [string, string])[1]) / 1000);
  return { before: ms(replies[0]), isThere: replies[1] === 1, after: ms(replies[2]) };
}

/** How many of the ways to reach a task that is gone did so. */
async function revivals(store: TaskStore, key: TaskKey): Promise<number> {
  const prolong = (record: TaskRecord): TaskRecord => ({ ...record, ttlMs: 3_600_000 });
  const results = [await store.get(key), await store.update(key, prolong), await store.get(key)];
  return results.filter((result) => result !== undefined).length;
}

async function dieByMutation(store: TaskStore, witness: Redis, prefix: string): Promise<number> {
  const { key, record } = await given(store, 3_600_000);
  const past = async () => Number((await witness.time())[0]) * 1000 > record.createdAt + 1;
  while (!(await past()));
  const result = await store.update(key, (current) => ({ ...current, ttlMs: 1 }));
  return (result === undefined ? 0 : 1) + (await witness.exists(prefix + key));
}

async function given(store: TaskStore, ttlMs: number): Promise<{ key: TaskKey; record: TaskRecord }> {
  const record = await store.create(sampleDraft({ ttlMs }));
  return { key: taskKeyOf(record.principal, record.taskId), record };
}
