/** Tells that something was aborted, and why: an `AbortSignal`, or a lighter object of the same shape. */
export interface AbortSource {
  readonly aborted: boolean;
  /** Why; undefined until it is aborted. */
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** An abort source that makes an `AbortController` only when its signal is asked for, which is rare. */
export class LazySignal implements AbortSource {
  private controller?: AbortController;
  private listeners?: Set<() => void>;
  private ended?: { readonly reason: unknown };

  get aborted(): boolean {
    return this.ended !== undefined;
  }

  get reason(): unknown {
    return this.ended?.reason;
  }

  /** The same, as a signal. Always the same object. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.ended !== undefined) this.controller.abort(this.ended.reason);
    }
    return this.controller.signal;
  }

  /** Aborts, once; later calls change nothing. */
  abort(reason: unknown): void {
    if (this.ended !== undefined) return;
    this.ended = { reason };
    this.controller?.abort(reason);
    const { listeners } = this;
    delete this.listeners;
    if (listeners !== undefined) for (const listener of listeners) listener();
  }

  /** Calls `listener` once, when it is aborted; never if it was before, as an `AbortSignal` does. */
  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.ended === undefined) (this.listeners ??= new Set()).add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners?.delete(listener);
  }
}
