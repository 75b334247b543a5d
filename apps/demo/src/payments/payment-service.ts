/** The payment service's answer to a charge. */
export interface Charge {
  readonly orderId: string;
  readonly amount: number;
}

/**
 * A fake payment service that counts. It charges an order twice if asked twice. A real one would reject that, but then
 * nobody would see whether the tool asks once.
 */
export abstract class PaymentService {
  abstract charge(orderId: string, amount: number): Promise<Charge>;

  /** How often an order was charged; 0 when it is not known. */
  abstract chargesOf(orderId: string): Promise<number>;
}
