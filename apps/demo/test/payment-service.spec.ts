import { PaymentService } from '../src/payments/payment-service.js';

describe('the fake payment service', () => {
  it('counts the charges of each order apart', () => {
    const payments = new PaymentService();
    payments.charge('a', 10);
    payments.charge('b', 10);
    payments.charge('a', 10);
    expect([payments.chargesOf('a'), payments.chargesOf('b'), payments.chargesOf('c')]).toEqual([2, 1, 0]);
  });

  it('forgets the oldest orders when there are many', () => {
    const payments = new PaymentService();
    for (let order = 0; order <= 10_000; order++) payments.charge(`order-${order}`, 1);
    expect([payments.chargesOf('order-0'), payments.chargesOf('order-1'), payments.chargesOf('order-10000')]).toEqual([0, 1, 1]);
  });
});
