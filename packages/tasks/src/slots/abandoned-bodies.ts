/** The bodies that were given up on and go on, by account (see `accountOf`). */
export class AbandonedBodies {
  private readonly byAccount = new Map<string, number>();
  /** How many there are. */
  size = 0;
  /** Whether a limit may have been reached. With limits above zero it is false while there are none. */
  mayBind: boolean;

  /**
   * @param max of all accounts
   * @param maxOfOne of one account, so that nobody takes the slots of all
   */
  constructor(
    private readonly max: number,
    private readonly maxOfOne: number,
  ) {
    this.mayBind = this.hasNoRoom;
  }

  get isFull(): boolean {
    return this.size >= this.max;
  }

  /** Whether `account` has as many as one may have. */
  isFullOf(account: string): boolean {
    return (this.byAccount.get(account) ?? 0) >= this.maxOfOne;
  }

  add(account: string): void {
    this.change(account, 1);
  }

  remove(account: string): void {
    this.change(account, -1);
  }

  private change(account: string, by: 1 | -1): void {
    this.size += by;
    const count = (this.byAccount.get(account) ?? 0) + by;
    if (count > 0) this.byAccount.set(account, count);
    else this.byAccount.delete(account);
    this.mayBind = this.size > 0 || this.hasNoRoom;
  }

  /** Whether not even one may be there. */
  private get hasNoRoom(): boolean {
    return this.max <= 0 || this.maxOfOne <= 0;
  }
}
