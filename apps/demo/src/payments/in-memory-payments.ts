import { Injectable } from '@nestjs/common';
import { PaymentService, type Charge } from './payment-service.js';

/** How many orders the fake remembers: it replaces a service that keeps its own books. */
const REMEMBERED_ORDERS = 10_000;

/** Counts in the memory of this process, so only for a node that stands alone. */
@Injectable()
export class InMemoryPayments extends PaymentService {
  private readonly timesCharged = new Map<string, number>();

  async charge(orderId: string, amount: number): Promise<Charge> {
    this.timesCharged.set(orderId, (this.timesCharged.get(orderId) ?? 0) + 1);
    if (this.timesCharged.size > REMEMBERED_ORDERS) this.forgetOldest();
    return { orderId, amount };
  }

  async chargesOf(orderId: string): Promise<number> {
    return this.timesCharged.get(orderId) ?? 0;
  }

  private forgetOldest(): void {
    const [oldest] = this.timesCharged.keys();
    if (oldest !== undefined) this.timesCharged.delete(oldest);
  }
}
