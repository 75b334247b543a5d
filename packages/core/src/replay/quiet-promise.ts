const nativeThen = Promise.prototype.then;
const ignore = (): undefined => undefined;

/**
 * A promise whose rejection ends no process when nobody looks at it, nor does that of what is chained to it by `then`: a question or step
 * that a handler let go of is unwound like any other. Whoever awaits it sees the rejection as usual.
 */
export class QuietPromise<T> extends Promise<T> {
  static of<T>(promise: Promise<T>): QuietPromise<T> {
    return QuietPromise.silenced(new QuietPromise<T>((resolve, reject) => promise.then(resolve, reject)));
  }

  // oxlint-disable-next-line unicorn/no-thenable
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return QuietPromise.silenced(super.then(onFulfilled, onRejected) as QuietPromise<A | B>);
  }

  private static silenced<T>(promise: QuietPromise<T>): QuietPromise<T> {
    // Not by `catch`, which would come back here.
    void nativeThen.call(promise, undefined, ignore);
    return promise;
  }
}
