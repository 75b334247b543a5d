/** Waits until nothing is in flight, as long as it may. */
export class Idle {
  private readonly waiting = new Set<() => void>();

  constructor(private readonly inFlight: () => number) {}

  /** To be called whenever something has ended. */
  check(): void {
    if (this.waiting.size === 0 || this.inFlight() > 0) return;
    for (const resolve of this.waiting) resolve();
  }

  /** Resolves when nothing is in flight, at the latest after `ms`. */
  async within(ms: number): Promise<void> {
    if (this.inFlight() === 0) return;
    let timer: NodeJS.Timeout | undefined;
    let settle = (): void => {};
    await new Promise<void>((resolve) => {
      settle = resolve;
      this.waiting.add(settle);
      timer = setTimeout(settle, ms);
    });
    clearTimeout(timer);
    this.waiting.delete(settle);
  }
}
