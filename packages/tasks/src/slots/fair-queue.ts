/** Queue with a lane for each account: each lane is first in, first out, and the lanes take turns. */
export class FairQueue<T> {
  /** In the order of their turns. A Set, so that leaving a lane from the middle costs nothing. */
  private readonly lanes = new Map<string, Set<T>>();
  /** How many wait. */
  size = 0;

  /** How many accounts wait, `account` among them whether or not it does. */
  lanesWith(account: string): number {
    return this.lanes.size + (this.lanes.has(account) ? 0 : 1);
  }

  /** How many of `account` wait. */
  sizeOf(account: string): number {
    return this.lanes.get(account)?.size ?? 0;
  }

  add(account: string, item: T): void {
    const lane = this.lanes.get(account) ?? new Set();
    this.lanes.set(account, lane.add(item));
    this.size += 1;
  }

  /** Takes the first of the lane whose turn it is. @param isHeld whose lanes have no turn now */
  next(isHeld: (account: string) => boolean = () => false): T | undefined {
    for (const [account, lane] of this.lanes) {
      if (isHeld(account)) continue;
      const [item] = lane;
      this.delete(account, item!);
      // Its next turn comes after those of all others.
      if (this.lanes.delete(account)) this.lanes.set(account, lane);
      return item;
    }
    return undefined;
  }

  /** @returns whether it waited */
  delete(account: string, item: T): boolean {
    const lane = this.lanes.get(account);
    if (!lane?.delete(item)) return false;
    this.size -= 1;
    if (lane.size === 0) this.lanes.delete(account);
    return true;
  }
}
