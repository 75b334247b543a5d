import type { McpPrincipal } from '@mocapi/core';
import { TaskExecutorFullError, type TaskSlot } from './task-executor.js';

/** What a refused caller is told to wait, in milliseconds. */
const RETRY_AFTER_MS = 1000;

/** How many attempts each caller has on this node, so that no one of them takes all the places. Anonymous callers can't be told apart and aren't counted. */
export class PrincipalQuota {
  private readonly active = new Map<string, number>();

  /** @param maxActive attempts of one caller that run or wait */
  constructor(private readonly maxActive: number) {}

  /** @throws TaskExecutorFullError when the caller has all that one may have */
  assertRoom(principal: McpPrincipal | undefined): void {
    if (principal && (this.active.get(principal.id) ?? 0) >= this.maxActive) throw new TaskExecutorFullError(RETRY_AFTER_MS);
  }

  /** The slot, which counts for the caller until it is given back. */
  count(slot: TaskSlot, principal: McpPrincipal | undefined): TaskSlot {
    if (!principal) return slot;
    this.change(principal.id, 1);
    let isCounted = true;
    const release = (): void => {
      slot.release();
      if (isCounted) this.change(principal.id, -1);
      isCounted = false;
    };
    return { ...slot, release };
  }

  private change(id: string, by: 1 | -1): void {
    const count = (this.active.get(id) ?? 0) + by;
    if (count > 0) this.active.set(id, count);
    else this.active.delete(id);
  }
}
