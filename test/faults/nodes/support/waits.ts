import type { Cluster } from './cluster.js';
import { timesOf, type Job } from './jobs.js';
import type { StoredTask } from './stored-tasks.js';
import { until } from './until.js';

/** Waits until each of the jobs has begun, or been counted as something else, at least once. */
export async function allCounted({ tasks }: Cluster, jobs: readonly Job[], what = 'begun'): Promise<void> {
  const counted = async () => timesOf(await tasks.counts(), what, jobs).filter((times) => times > 0).length;
  await until(counted, (count) => count === jobs.length, { what: `${jobs.length} jobs are counted as ${what}`, timeoutMs: 15_000 });
}

/** Waits until bodies have begun so many times, all jobs and nodes together. */
export async function begunAtLeast({ tasks }: Cluster, times: number): Promise<void> {
  const begun = async () =>
    [...(await tasks.counts())].filter(([what]) => what.startsWith('begun:')).reduce((sum, [, count]) => sum + count, 0);
  await until(begun, (count) => count >= times, { what: `bodies have begun ${times} times`, timeoutMs: 15_000 });
}

/** Waits until no task is open any more. @returns the tasks as they then are */
export async function allEnded({ tasks }: Cluster, timeoutMs = 20_000): Promise<StoredTask[]> {
  await until(
    () => tasks.open(),
    (open) => open === 0,
    { what: 'all tasks end', timeoutMs, everyMs: 100 },
  );
  return tasks.all();
}

/** Waits until as many tasks as given have the status. */
export async function allAre({ tasks }: Cluster, status: string, count: number): Promise<void> {
  const there = async () => (await tasks.all()).filter(({ record }) => record.status === status).length;
  await until(there, (found) => found === count, { what: `${count} tasks are ${status}`, timeoutMs: 15_000, everyMs: 50 });
}

/** From a moment to the last write of the tasks, in whole milliseconds by the clock of Redis. */
export function lastWriteAfter(moment: number, stored: readonly StoredTask[]): number {
  return Math.round(Math.max(...stored.map(({ updatedAt }) => updatedAt)) - moment);
}

/** How many of the tasks are completed, by the named node if one is named. */
export function completedBy(stored: readonly StoredTask[], node?: string): number {
  const by = ({ record }: StoredTask) => (record.result?.structuredContent as { node?: string } | undefined)?.node;
  return stored.filter((task) => task.record.status === 'completed' && (node === undefined || by(task) === node)).length;
}
