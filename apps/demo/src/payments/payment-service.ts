import { Injectable } from '@nestjs/common';

/** What the payment service says about a charge. */
export interface Charge {
  readonly orderId: string;
  readonly amount: number;
}

/** How many orders the fake remembers: it stands in for a service that keeps its own books. */
const REMEMBERED_ORDERS = 10_000;

/**
 * A fake payment service that counts. It would charge one order twice if asked twice: a real one is asked to refuse that, but then
 * nobody would see whether the tool asks once.
 */
@Injectable()
export class PaymentService {
  private readonly timesCharged = new Map<string, number>();

  charge(orderId: string, amount: number): Charge {
    this.timesCharged.set(orderId, this.chargesOf(orderId) + 1);
    if (this.timesCharged.size > REMEMBERED_ORDERS) this.forgetOldest();
    return { orderId, amount };
  }

  chargesOf(orderId: string): number {
    return this.timesCharged.get(orderId) ?? 0;
  }

  private forgetOldest(): void {
    const [oldest] = this.timesCharged.keys();
    if (oldest !== undefined) this.timesCharged.delete(oldest);
  }
}
