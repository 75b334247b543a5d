import { TaskExecutorFullError } from './task-executor.js';

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

  /** Counts one more, which runs or waits for a slot. */
  add(account: string): void {
    this.active.set(account, (this.active.get(account) ?? 0) + 1);
  }

  /** Counts one less, which has given its slot back. */
  remove(account: string): void {
    const left = this.active.get(account)! - 1;
    if (left > 0) this.active.set(account, left);
    else this.active.delete(account);
  }
}
