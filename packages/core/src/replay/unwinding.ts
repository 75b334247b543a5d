import { McpError } from '../errors/mcp.error.js';
import { McpToolError } from '../errors/mcp-tool.error.js';
import { hasBrand, isInstance } from '../errors/thrown.js';
import { AsyncLocalStorage } from 'node:async_hooks';
import { runInThisContext } from 'node:vm';

/**
 * Stands for one execution in everything that it starts. `drop` is there while the body unwinds: whatever the body makes of that is dropped,
 * and so is the rejection of a branch that nobody awaits, an error of the author's own included. It hears of each.
 */
export interface UnwindingScope {
  drop?: ((reason: unknown) => void) | undefined;
}

const SCOPES = Symbol.for('@mocapi/core:unwindingScopes');

/** Kept by the process, since one guard stands there for every copy of this package. */
const host = runInThisContext('process') as NodeJS.Process & { [SCOPES]?: AsyncLocalStorage<UnwindingScope> };

/** Tells the guard in whose execution a promise was rejected. */
export const unwindingScopes = (host[SCOPES] ??= new AsyncLocalStorage<UnwindingScope>());

/** Stands on every error by which the framework ends an execution or refuses a `ctx` call. */
export const UNWINDING = Symbol.for('@mocapi/core:unwinding');

/** Marks an error that a `ctx` call is refused with; the same error, and nothing of the mark shows. */
export function asUnwinding<E>(error: E): E {
  // Not by assignment: a frozen error stays without the mark instead of failing here.
  if (typeof error === 'object' && error !== null) Reflect.defineProperty(error, UNWINDING, { value: true, configurable: true });
  return error;
}

/** Whether the framework, whichever copy of it, has unwound a handler with this, so that it is no failure of anybody's. */
export function isUnwinding(reason: unknown): boolean {
  return isInputRequired(reason) || hasBrand(reason, UNWINDING);
}

/** A `ctx` call of an execution that is over: suspended, cancelled, timed out, or superseded by a retry. */
export class ExecutionOverError extends Error {
  constructor(reason = 'This execution is over; its context can no longer be used') {
    super(reason);
    this.name = 'ExecutionOverError';
  }

  get [UNWINDING](): true {
    return true;
  }
}

const BRAND = Symbol.for('@mocapi/core:InputRequiredSignal');

/**
 * Unwinds an execution that needs input, so that `finally` blocks run. It is never the truth about the outcome: what the execution
 * reached unanswered is. An interceptor that turns errors into values rethrows it (`isInputRequired`), or it would cache a fallback.
 */
export class InputRequiredSignal extends Error {
  constructor() {
    super('The execution ends here until its questions are answered');
    this.name = 'InputRequiredSignal';
  }

  get [BRAND](): true {
    return true;
  }
}

/** Whether `error` is the unwinding of an execution that needs input; such an error is to be rethrown. */
export function isInputRequired(error: unknown): boolean {
  return hasBrand(error, BRAND);
}

/**
 * A promise that never settles: the result of a call that no longer matters to anyone. It is a new one each time, or
 * its waiters would be kept in memory forever.
 */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}

/**
 * A promise whose unhandled rejection does not end the process, and neither does that of promises chained to it with
 * `then`: a question or step that a handler let go of is unwound like any other. Code that awaits it sees the
 * rejection as usual. An async helper turns it into a plain promise again; for that a refusal is marked, see
 * `guardUnwinding`.
 */
export class QuietPromise<T> extends Promise<T> {
  private hasListener?: boolean;
  private derived?: QuietPromise<unknown>[];

  /** Whether somebody would learn of a rejection: of this promise, or of one chained to it. */
  get isHeard(): boolean {
    return this.hasListener === true || this.derived?.some((promise) => promise.isHeard) === true;
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
    else (this.derived ??= []).push(next as QuietPromise<unknown>);
    return next;
  }

  /** Runs `onFinally` at the end; who only cleans up learns of no rejection. */
  override finally(onFinally?: (() => void) | null): Promise<T> {
    const wasHeard = this.hasListener;
    const next = super.finally(onFinally);
    this.hasListener = wasHeard;
    (this.derived ??= []).push(next as QuietPromise<unknown>);
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

function ignore(): undefined {}
