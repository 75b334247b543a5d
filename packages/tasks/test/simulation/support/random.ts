/** A seeded source of chance: the same seed, the same numbers. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0 and less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number of at least 0 and less than `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True in `part` of all cases. */
  chance(part: number): boolean {
    return part > 0 && this.next() < part;
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}
