/** A value, or a promise of it. Code that does not have to wait makes no promise. */
export type MaybePromise<T> = T | Promise<T>;

/** Whether `await` would wait for the value. What the value's own `then` getter throws is passed on, as `await` does. */
export function isThenable<T>(value: MaybePromise<T>): value is Promise<T>;
export function isThenable(value: unknown): value is PromiseLike<unknown>;
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return typeof (value as { then?: unknown }).then === 'function';
}

/** Calls `use` with the value, at once or when the promise fulfils. A rejection is passed on. */
export function whenReady<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isThenable(value) ? value.then(use) : use(value);
}

/** A promise of what `run` returns or throws, for callers that need one. */
export function promiseOf<T>(run: () => MaybePromise<T>): Promise<T> {
  return new Promise((resolve) => resolve(run()));
}
