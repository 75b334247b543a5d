import { type RedisProxy, until } from '@mocapi/redis-harness';
import {
  type Clock,
  completed,
  type TaskView,
  type TaskStore,
  SystemClock,
  taskKeyOf,
  TaskWatches,
  withStatusMessage,
} from '@mocapi/tasks';
import { FakeClock, sampleDraft } from '@mocapi/testing';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { freshPrefix, openStore } from './support/open-store.js';
import { startProxy, startServer } from './support/start-server.js';

const WATCHED = { short: 20, long: 200 } as const;
/** Between two readings of what is watched: 10 seconds, and a fifth more by chance. */
const RECONCILED_WITHIN_MS = 12_000;
/** By a real clock a reading takes time, too. */
const SLACK_MS = 2000;

/** The messages of changes are lost while the subscription stands. */
export const messageLost: Fault = {
  id: 'F32',
  title: 'a listener whose message was lost gets the final state all the same, with the next reading of all that is watched',
  run: (scale) => withCleanup((cleanup) => run(scale, cleanup)),
};

/** The connection that messages come by is broken while tasks end. */
export const subscriberLost: Fault = {
  id: 'F32-dropped',
  title: 'a listener whose connection broke while its task ended gets the final state as soon as it is connected again',
  run: (scale) => withCleanup((cleanup) => runDropped(scale, cleanup)),
};

async function run(scale: FaultScale, cleanup: Cleanup): Promise<FaultReport> {
  // Short, the time is let pass; long, it passes.
  const clock = scale === 'short' ? new FakeClock() : new SystemClock();
  const { proxy, tasks, end } = await watchedTasks(cleanup, clock, WATCHED[scale]);
  const mute = proxy.muteMessages();
  const endedAt = performance.now();
  await end();
  await until('the messages are swallowed', () => mute.fired >= tasks.length);
  const early = tasks.filter(isTold).length;
  if (clock instanceof FakeClock) await clock.advance(RECONCILED_WITHIN_MS);
  const told = () => tasks.filter(isTold).length;
  await until('every listener is told', () => told() === tasks.length, RECONCILED_WITHIN_MS + SLACK_MS).catch(() => undefined);
  const tookMs = Math.round(performance.now() - endedAt);
  return {
    injected: `messages of ${tasks.length} watched tasks swallowed, the end of each among them`,
    fired: evidence(mute.fired, 'messages swallowed by the proxy'),
    expected: `nobody told before the reading that follows within ${RECONCILED_WITHIN_MS} ms, everybody by it`,
    seen: `${early} told before, ${told()} of ${tasks.length} after${clock instanceof FakeClock ? ' that time, let pass' : ` ${tookMs} ms`}`,
    held: early === 0 && told() === tasks.length,
  };
}

async function runDropped(scale: FaultScale, cleanup: Cleanup): Promise<FaultReport> {
  // A clock that stands still: nothing is read for the sake of time.
  const { proxy, tasks, end } = await watchedTasks(cleanup, new FakeClock(), WATCHED[scale]);
  const stall = proxy.stall();
  const dropped = proxy.dropSubscribers();
  await end();
  const early = tasks.filter(isTold).length;
  stall.end();
  const told = () => tasks.filter(isTold).length;
  await until('every listener is told', () => told() === tasks.length).catch(() => undefined);
  return {
    injected: `the connection of the listeners of ${tasks.length} tasks broken, and kept away until all had ended`,
    fired: evidence(dropped, 'connections of subscribers broken by the proxy'),
    expected: 'everybody told by the new connection, without waiting for the next reading',
    seen: `${early} told before, ${told()} of ${tasks.length} after`,
    held: early === 0 && told() === tasks.length,
  };
}

interface WatchedTask {
  last: TaskView | undefined;
}

const isTold = ({ last }: WatchedTask): boolean => last?.status === 'completed';

/** Tasks that are watched behind a proxy, each watch proven to work, and how another node ends them all. */
async function watchedTasks(
  cleanup: Cleanup,
  clock: Clock,
  count: number,
): Promise<{ proxy: RedisProxy; tasks: readonly WatchedTask[]; end: () => Promise<unknown> }> {
  const server = await startServer(cleanup);
  const proxy = await startProxy(cleanup, server);
  const prefix = freshPrefix();
  const [store, other] = [await openStore(cleanup, proxy.url, { prefix }), await openStore(cleanup, server.url, { prefix })];
  const watches = new TaskWatches(store, clock);
  const tasks = await Promise.all(Array.from({ length: count }, () => watchedTask(other, watches, cleanup)));
  return { proxy, tasks, end: () => Promise.all(tasks.map(({ end }) => end())) };
}

async function watchedTask(
  other: TaskStore,
  watches: TaskWatches,
  cleanup: Cleanup,
): Promise<WatchedTask & { end: () => Promise<unknown> }> {
  const { principal, taskId, version } = await other.create(sampleDraft());
  const key = taskKeyOf(principal, taskId);
  const task = {
    last: undefined as TaskView | undefined,
    end: () => other.update(key, (record) => completed(record, { resultType: 'complete', content: [] })),
  };
  cleanup.add(watches.watch(key, { from: version, listener: (record) => (task.last = record) }), (unwatch) => unwatch());
  await until('the watch reads', () => task.last !== undefined);
  await other.update(key, (record) => withStatusMessage(record, 'watched'));
  await until('the watch hears', () => task.last?.statusMessage === 'watched');
  return task;
}
