import type { ProgressSink, ProgressUpdate } from '@mocapi/core/extension';
import type { CancelTimer, Clock } from '../store/clock.js';

/** Milliseconds between two writes of a task's status message, at the least. */
export const PROGRESS_INTERVAL_MS = 250;

/** The status message for a progress: `3/10: note`, `3: note`, `3/10`, `3`. */
export function progressText({ progress, total, message }: ProgressUpdate): string {
  const amount = total === undefined ? `${progress}` : `${progress}/${total}`;
  return message === undefined || message === '' ? amount : `${amount}: ${message}`;
}

const REPORTED = /^(-?\d+(?:\.\d+)?)(?:\/(-?\d+(?:\.\d+)?))?(?::|$)/;

/**
 * Whether `update` is behind the status message `reported`, on the same scale: a body that runs again reports from the
 * start.
 */
function isBehind({ progress, total }: ProgressUpdate, reported: string | undefined): boolean {
  const [, amount, scale] = REPORTED.exec(reported ?? '') ?? [];
  if (amount === undefined) return false;
  return (scale === undefined ? undefined : Number(scale)) === total && progress < Number(amount);
}

/** The beginning of `text` that has at most `maxBytes` in UTF-8, with an ellipsis where it was cut. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const cut = Buffer.from(text.slice(0, maxBytes))
    .subarray(0, Math.max(0, maxBytes - ELLIPSIS_BYTES))
    .toString();
  // A character that was cut through became a replacement character.
  return `${cut.replace(/\uFFFD$/u, '')}…`;
}

const ELLIPSIS_BYTES = 3;

/**
 * Writes a task's progress to its status message: only the latest value, and no more often than is good for the store.
 */
export class TaskProgress implements ProgressSink {
  private pending: string | undefined;
  private lastWrite = -Infinity;
  private cancelTimer: CancelTimer | undefined;
  private isStopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly status: { readonly maxBytes: number; readonly reported?: string | undefined; write(text: string): Promise<unknown> },
  ) {}

  report(update: ProgressUpdate): void {
    if (this.isStopped || isBehind(update, this.status.reported)) return;
    this.pending = cutToBytes(progressText(update), this.status.maxBytes);
    const wait = this.lastWrite + PROGRESS_INTERVAL_MS - this.clock.elapsed();
    if (wait <= 0) this.flush();
    else this.cancelTimer ??= this.clock.setTimer(() => this.flush(), wait);
  }

  /** Stops writing; returns reported progress that is not written yet, for the write that settles the attempt. */
  close(): string | undefined {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    const text = this.pending;
    this.pending = undefined;
    return text;
  }

  /** Writes nothing any more, whatever a body that goes on reports. */
  stop(): void {
    this.isStopped = true;
    this.close();
  }

  private flush(): void {
    const text = this.close();
    if (text === undefined) return;
    this.lastWrite = this.clock.elapsed();
    // Progress is a courtesy: a write that fails is repaired by the next one, or by the end of the task.
    this.status.write(text).catch(() => undefined);
  }
}
