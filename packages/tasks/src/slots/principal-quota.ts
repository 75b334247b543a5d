import { TaskExecutorFullError, type TaskSlot } from './task-executor.js';

/** Time after which a rejected caller should retry, in milliseconds. */
const RETRY_AFTER_MS = 1000;

/** Counts the attempts of each account (see `accountOf`) on this node, so that no account takes all the slots. */
export class PrincipalQuota {
  private readonly active = new Map<string, number>();

  /** @param maxActive attempts of one account that run or wait */
  constructor(private readonly maxActive: number) {}

  /** @throws TaskExecutorFullError when the account has all that one may have */
  assertRoom(account: string): void {
    if ((this.active.get(account) ?? 0) >= this.maxActive) throw new TaskExecutorFullError(RETRY_AFTER_MS);
  }

  /** The slot, which counts for the account until it is given back. */
  count(slot: TaskSlot, account: string): TaskSlot {
    this.active.set(account, (this.active.get(account) ?? 0) + 1);
    let isCounted = true;
    const release = (): void => {
      slot.release();
      if (!isCounted) return;
      isCounted = false;
      const left = this.active.get(account)! - 1;
      if (left > 0) this.active.set(account, left);
      else this.active.delete(account);
    };
    return { ready: slot.ready, isReady: slot.isReady === true, release };
  }
}
