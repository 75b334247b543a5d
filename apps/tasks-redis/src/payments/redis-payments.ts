import type { OnApplicationShutdown } from '@nestjs/common';
import { PaymentService, type Charge } from '@mocapi/demo';
import { Redis } from 'ioredis';

/** How long an order is remembered: as long as the task that paid it. */
const REMEMBERED_SECONDS = 3600;

/** The fake payment service where all nodes see the same books. */
export class RedisPayments extends PaymentService implements OnApplicationShutdown {
  private readonly redis: Redis;

  constructor(
    redisUrl: string,
    private readonly prefix: string,
  ) {
    super();
    // A charge that may have been made is not made again behind the caller's back.
    this.redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 0 });
    // Whoever waits for a command learns of it there.
    this.redis.on('error', () => undefined);
  }

  async charge(orderId: string, amount: number): Promise<Charge> {
    await this.redis.multi().incr(this.keyOf(orderId)).expire(this.keyOf(orderId), REMEMBERED_SECONDS).exec();
    return { orderId, amount };
  }

  async chargesOf(orderId: string): Promise<number> {
    return Number((await this.redis.get(this.keyOf(orderId))) ?? 0);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  private keyOf(orderId: string): string {
    return `${this.prefix}charges:${orderId}`;
  }
}
