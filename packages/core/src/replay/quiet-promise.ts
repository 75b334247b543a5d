const ignore = (): undefined => undefined;

/**
 * A promise whose rejection ends no process when nobody looks at it, nor does that of what is chained to it by `then`: a question or step
 * that a handler let go of is unwound like any other. Whoever awaits it sees the rejection as usual.
 */
export class QuietPromise<T> extends Promise<T> {
  static of<T>(promise: Promise<T>): Promise<T> {
    return silenced(new QuietPromise<T>((resolve, reject) => promise.then(resolve, reject)));
  }

  // oxlint-disable-next-line unicorn/no-thenable
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return silenced(super.then(onFulfilled, onRejected));
  }
}

function silenced<T>(promise: Promise<T>): Promise<T> {
  // Not by the promise's own `then` or `catch`, which would come back here.
  void Promise.prototype.then.call(promise, undefined, ignore);
  return promise;
}
