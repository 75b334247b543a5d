import { InMemoryPayments } from '../src/payments/in-memory-payments.js';

describe('the fake payment service', () => {
  let payments: InMemoryPayments;
  const chargesOf = (...orders: string[]) => Promise.all(orders.map((order) => payments.chargesOf(order)));
  beforeEach(() => {
    payments = new InMemoryPayments();
  });

  it('counts the charges of each order apart', async () => {
    await payments.charge('a', 10);
    await payments.charge('b', 10);
    await payments.charge('a', 10);
    expect(await chargesOf('a', 'b', 'c')).toEqual([2, 1, 0]);
  });

  it('forgets the oldest orders when there are many', async () => {
    for (let order = 0; order <= 10_000; order++) await payments.charge(`order-${order}`, 1);
    expect(await chargesOf('order-0', 'order-1', 'order-10000')).toEqual([0, 1, 1]);
  });
});
