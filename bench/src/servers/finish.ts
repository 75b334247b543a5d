import { Injectable } from '@nestjs/common';

type Release = () => void;

/** Lets the parent process decide when a body ends, and tells it when that was. */
@Injectable()
export class Finish {
  /** Milliseconds that each step of the running task took. */
  stepMs: number[] = [];
  /** Called after the step of that index. */
  afterStep: (index: number) => Promise<void> | void = () => undefined;
  private readonly waiting: Release[] = [];

  /** Resolves when `now` is called, or when the body's signal is aborted. */
  told(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Ends the body that has waited longest. Returns the time of it in nanoseconds of the machine's monotonic clock. */
  now(): string {
    this.waiting.shift()?.();
    return String(process.hrtime.bigint());
  }

  /** How many bodies wait. */
  sleepers(): number {
    return this.waiting.length;
  }

  async stepDone(index: number, ms: number): Promise<void> {
    this.stepMs[index] = ms;
    await this.afterStep(index);
  }
}
