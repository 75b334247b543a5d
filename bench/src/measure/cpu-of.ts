import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process since its start, all threads, in microseconds, by the operating system's scheduler; undefined where it has no `/proc`. */
export function cpuOf(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((total, thread) => total + threadNs(`/proc/${pid}/task/${thread}/schedstat`), 0) / 1000;
  } catch {
    return undefined;
  }
}

/** A thread may end between the listing and the look at it. */
function threadNs(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}
