import { McpError } from '../errors/mcp.error.js';
import { McpToolError } from '../errors/mcp-tool.error.js';
import { isInstance } from '../errors/thrown.js';
import { asUnwinding, InputRequiredSignal } from './unwinding.js';

const ignore = (): undefined => undefined;

/**
 * A promise whose unhandled rejection does not end the process, and neither does that of promises chained to it with
 * `then`: a question or step that a handler let go of is unwound like any other. Code that awaits it sees the
 * rejection as usual. An async helper turns it into a plain promise again; for that a refusal is marked, see
 * `guardUnwinding`.
 */
export class QuietPromise<T> extends Promise<T> {
  private hasListener = false;
  private readonly derived: QuietPromise<unknown>[] = [];

  /** Whether somebody would learn of a rejection: of this promise, or of one chained to it. */
  get isHeard(): boolean {
    return this.hasListener || this.derived.some((promise) => promise.isHeard);
  }

  /** The promise made quiet; a quiet one stays itself. */
  static of<T>(promise: Promise<T>): QuietPromise<T> {
    if (promise instanceof QuietPromise) return promise as QuietPromise<T>;
    return silenced(new QuietPromise<T>((resolve, reject) => promise.then(resolve, (reason) => reject(marked(reason)))));
  }

  // oxlint-disable-next-line unicorn/no-thenable
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const next = silenced(super.then(onFulfilled, onRejected));
    if (onRejected) this.hasListener = true;
    else this.derived.push(next as QuietPromise<unknown>);
    return next;
  }

  /** Runs `onFinally` at the end; who only cleans up learns of no rejection. */
  override finally(onFinally?: (() => void) | null): Promise<T> {
    const wasHeard = this.hasListener;
    const next = super.finally(onFinally);
    this.hasListener = wasHeard;
    this.derived.push(next as QuietPromise<unknown>);
    return next;
  }

  /** Calls `listener` with the reason of a rejection, without counting as somebody who hears of it. */
  peek(listener: (reason: unknown) => void): void {
    void Promise.prototype.then.call(this, undefined, listener);
  }
}

// Not everything: the error of a step's own function stays the author's, and so does what Node makes of it. The signal has its mark.
function marked(reason: unknown): unknown {
  if (isInstance(reason, InputRequiredSignal)) return reason;
  return reason instanceof McpError || reason instanceof McpToolError ? asUnwinding(reason) : reason;
}

/** The same promise; nobody needs to look at its rejection. */
export function silenced<P extends Promise<unknown>>(promise: P): P {
  // Not by the promise's own `then` or `catch`, which would come back here.
  void Promise.prototype.then.call(promise, undefined, ignore);
  return promise;
}
