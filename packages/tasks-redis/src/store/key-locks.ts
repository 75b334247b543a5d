/** Lets the writers of one process go one after the other: those of other processes are enough to collide with. */
export class KeyLocks<K> {
  private readonly tails = new Map<K, Promise<unknown>>();

  /** How many keys are locked. */
  get size(): number {
    return this.tails.size;
  }

  /** Runs `work` once all that was given for `key` before has settled. */
  async run<T>(key: K, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key);
    const own = before === undefined ? work() : before.then(work, work);
    this.tails.set(key, own);
    try {
      return await own;
    } finally {
      if (this.tails.get(key) === own) this.tails.delete(key);
    }
  }
}
