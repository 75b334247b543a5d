/** Ends everything that was started, the last first. */
export class Closing {
  private readonly steps: (() => Promise<void>)[] = [];
  private closed: Promise<void> | undefined;

  /** Whether `close` was called. */
  get begun(): boolean {
    return this.closed !== undefined;
  }

  /** Adds what ends something. While it is closing already, that is ended after the rest. */
  add(step: () => Promise<void>): void {
    this.steps.push(step);
    if (this.closed) this.closed = this.closed.then(() => this.runSteps());
  }

  /** Ends everything, once. A step that fails is reported on stderr and does not stop the others. */
  async close(): Promise<void> {
    this.closed ??= this.runSteps();
    // More may have been added meanwhile.
    for (let awaited; awaited !== this.closed;) await (awaited = this.closed);
  }

  private async runSteps(): Promise<void> {
    for (let step = this.steps.pop(); step; step = this.steps.pop()) await step().catch((error: unknown) => console.error(error));
  }
}
