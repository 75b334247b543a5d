import type { Delivery } from '../../dispatch/exchange.js';

/** A `Delivery` that its transport settles once; what comes after the first time has no effect. */
export class SettledDelivery implements Delivery {
  private reached: boolean | undefined;
  private listeners: ((reached: boolean) => void)[] | undefined;

  onSettled(listener: (reached: boolean) => void): void {
    if (this.reached === undefined) (this.listeners ??= []).push(listener);
    else listener(this.reached);
  }

  settle(reached: boolean): void {
    if (this.reached !== undefined) return;
    this.reached = reached;
    const { listeners } = this;
    this.listeners = undefined;
    if (listeners !== undefined) for (const listener of listeners) listener(reached);
  }
}

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
