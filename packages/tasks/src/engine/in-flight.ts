/** Writes under way that may begin something on this node: what they begin has to be known before the node ends. */
export class InFlight {
  private readonly works = new Set<Promise<unknown>>();

  get size(): number {
    return this.works.size;
  }

  /** Counts `work` until it has settled. */
  track<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.works.add(settled);
    void settled.then(() => this.works.delete(settled));
    return work;
  }

  /** Resolves once all that is counted now has settled. */
  async settled(): Promise<void> {
    await Promise.all(this.works);
  }
}
