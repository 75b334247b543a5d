/** What a fault has started, to be ended however the fault ends: the last thing first. */
export class Cleanup {
  private readonly ends: (() => unknown)[] = [];

  /** Notes how to end `thing`, and hands it back. */
  add<T>(thing: T, end: (thing: T) => unknown): T {
    this.ends.push(() => end(thing));
    return thing;
  }

  async run(): Promise<void> {
    for (const end of this.ends.splice(0).toReversed()) await end();
  }
}

/** Runs `work` and then ends what it started. */
export async function withCleanup<T>(work: (cleanup: Cleanup) => Promise<T>): Promise<T> {
  const cleanup = new Cleanup();
  try {
    return await work(cleanup);
  } finally {
    await cleanup.run();
  }
}
