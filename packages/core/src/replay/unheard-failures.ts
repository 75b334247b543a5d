import { isInstance } from '../errors/thrown.js';
import { ExecutionOverError, isInputRequired, type QuietPromise } from './unwinding.js';

/** Called with a step that failed although nothing awaits it, and with its error. */
export type UnheardListener = (key: string, error: unknown) => void;

interface FailedStep {
  readonly key: string;
  readonly error: unknown;
  readonly promise: QuietPromise<unknown>;
}

/** The failed steps of one execution that its handler never looked at. A handler may await a step late, so they are judged at its end. */
export class UnheardFailures {
  private failed: FailedStep[] = [];
  private isOver = false;

  constructor(private readonly listener: UnheardListener | undefined) {}

  /** Watches the promise that the handler was given for a step which runs. */
  watch(key: string, promise: QuietPromise<unknown>): void {
    promise.peek((error) => {
      if (isInstance(error, ExecutionOverError) || isInputRequired(error)) return;
      const step = { key, error, promise };
      if (this.isOver) this.judge(step);
      else this.failed.push(step);
    });
  }

  /** The execution has ended. @param goesOn another execution runs these steps again, so nothing is reported */
  end(goesOn: boolean): void {
    this.isOver = true;
    for (const step of goesOn ? [] : this.failed) this.judge(step);
    this.failed = [];
  }

  private judge({ key, error, promise }: FailedStep): void {
    if (!promise.isHeard) this.listener?.(key, error);
  }
}
