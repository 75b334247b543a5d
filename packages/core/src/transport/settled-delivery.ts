import type { Delivery } from '../dispatch/exchange.js';

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
