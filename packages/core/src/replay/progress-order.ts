import type { ProgressUpdate } from '../notifications/sinks.js';

/** Decides which progress reports of one pass count: those that rise, and those that say something new at the same value. */
export class ProgressOrder {
  private last = -Infinity;
  private lastMessage?: string;

  /** Takes a report. @returns why it must be dropped, for the log; undefined when it counts */
  take({ progress, total, message }: ProgressUpdate): string | undefined {
    // JavaScript callers pass anything here.
    const isText = message === undefined || typeof message === 'string';
    if (!Number.isFinite(progress)) return `progress must be a finite number, not ${nameOf(progress)}`;
    if (total !== undefined && !Number.isFinite(total)) return `the total must be a finite number, not ${nameOf(total)}`;
    if (!isText) return `the message must be a string, not ${nameOf(message)}`;
    const saysMore = progress === this.last && message !== undefined && message !== this.lastMessage;
    if (progress <= this.last && !saysMore) return `progress must rise: ${progress} came after ${this.last}`;
    this.last = progress;
    if (message === undefined) delete this.lastMessage;
    else this.lastMessage = message;
    return undefined;
  }
}

function nameOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : value === null ? 'null' : `a value of type ${typeof value}`;
}
