import { setMaxListeners } from 'node:events';
import type { RunEntry } from '../nodes/run-entries.js';
import type { TaskRecord } from '../record/task-record.js';
import type { Clock } from '../store/clock.js';
import type { TaskKey } from '../store/task-key.js';
import type { TaskStore } from '../store/task-store.js';
import { waitForStore } from './retrying.js';

/** A write that was to begin a run, of which it is not known whether it was made. */
export interface UnsureWrite {
  readonly key: TaskKey;
  /** The stamp of the run that it begins. */
  readonly runId: string;
  readonly entry: RunEntry;
  /** Called, once, when it turns out that it was made. When it rejects, it is called again later. */
  found(record: TaskRecord): Promise<void> | void;
}

/** A write may arrive this long after its sender gave up, in milliseconds. */
const LATE_MS = 60_000;

/**
 * Follows writes whose reply was lost until it is known whether they were made: a task that was begun under the name of this node, and that this node does
 * not run, would stay at work for as long as the node lives.
 */
export class UnsureWrites {
  private readonly end = new AbortController();

  constructor(
    private readonly store: TaskStore,
    private readonly clock: Clock,
  ) {
    // Each write that is followed listens, and an outage may leave any number of them.
    setMaxListeners(0, this.end.signal);
  }

  /** Looks for the write in the background. The entry stands until it is settled. */
  follow(write: UnsureWrite): void {
    void this.lookFor(write);
  }

  /** Looks no more. The entries stand, for the others to find. */
  close(): void {
    this.end.abort();
  }

  private async lookFor(write: UnsureWrite): Promise<void> {
    const giveUpAt = this.clock.elapsed() + LATE_MS;
    for (let round = 0; !this.end.signal.aborted; round++) {
      await waitForStore({ store: this.store, clock: this.clock, atMostMs: this.untilLate(giveUpAt) }, round, this.end.signal);
      if (!this.end.signal.aborted && (await this.isSettled(write, giveUpAt))) return;
    }
    write.entry.abandon();
  }

  /** The last look is then, not half a minute later: a node that ends meanwhile would leave an entry that nobody needs. */
  private untilLate(giveUpAt: number): number {
    const left = giveUpAt - this.clock.elapsed();
    return left > 0 ? left : Infinity;
  }

  private async isSettled(write: UnsureWrite, giveUpAt: number): Promise<boolean> {
    try {
      const record = await this.store.get(write.key);
      if (record?.run?.id === write.runId) {
        await write.found(record);
        return true;
      }
    } catch {
      return false;
    }
    if (this.clock.elapsed() < giveUpAt) return false;
    write.entry.leave();
    return true;
  }
}
