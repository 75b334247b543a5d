/** Counts writes under way that may begin something on this node: what they begin has to be known before the node ends. */
export class InFlight {
  private count = 0;
  private waiting: (() => void)[] = [];

  get size(): number {
    return this.count;
  }

  /** A write begins; whoever calls it calls `end` once it has settled. */
  begin(): void {
    this.count += 1;
  }

  end(): void {
    this.count -= 1;
    if (this.count > 0) return;
    const told = this.waiting;
    this.waiting = [];
    for (const tell of told) tell();
  }

  /** Resolves once nothing is under way. */
  settled(): Promise<void> {
    return this.count === 0 ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }
}
