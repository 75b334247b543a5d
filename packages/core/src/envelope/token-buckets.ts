/** How often something may happen: so many times a second in the long run, and so many at once after a pause. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was right, in milliseconds of the clock. */
  at: number;
}

/** Token buckets by key. At most `maxKeys` are kept, those used last: a key that was forgotten begins with a full bucket again. */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();

  /** @param now a clock in milliseconds that never goes back */
  constructor(
    private readonly rate: Rate,
    private readonly maxKeys: number,
    private readonly now: () => number,
  ) {}

  /** How many keys are kept. */
  get size(): number {
    return this.buckets.size;
  }

  /**
   * Takes one token.
   * @returns 0, or, if none is left, the whole milliseconds after which there is one
   */
  take(key: string): number {
    const { perSecond, burst } = this.rate;
    const bucket = this.bucketOf(key);
    const now = this.now();
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (bucket.tokens < 1) return Math.max(1, Math.ceil(((1 - bucket.tokens) / perSecond) * 1000));
    bucket.tokens -= 1;
    return 0;
  }

  // Deleted and set again, a key is the last one in the order of the map.
  private bucketOf(key: string): Bucket {
    const bucket = this.buckets.get(key) ?? { tokens: this.rate.burst, at: this.now() };
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    if (this.buckets.size > this.maxKeys) this.buckets.delete(this.buckets.keys().next().value!);
    return bucket;
  }
}
