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
  /** Set by `abort` alone, as `reason` is. */
  aborted = false;
  reason: unknown = undefined;
  private controller?: AbortController;
  private listeners?: Set<() => void>;

  /** The same, as a signal. Always the same object. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.aborted) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  /** Aborts, once; later calls change nothing. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.controller?.abort(reason);
    const { listeners } = this;
    delete this.listeners;
    if (listeners !== undefined) for (const listener of listeners) listener();
  }

  /** Calls `listener` once, when it is aborted; never if it was before, as an `AbortSignal` does. */
  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) (this.listeners ??= new Set()).add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners?.delete(listener);
  }
}

/**
 * An abort signal that lives as long as an execution, while the signal that it follows may change. It reads the
 * followed signal when it is read, and listens only once somebody has asked for the signal.
 */
export class FollowedSignal {
  private controller?: AbortController;
  private ended?: { readonly reason: unknown };
  private stopListening?: () => void;

  constructor(private source: AbortSource | undefined) {}

  /** The same, as a signal. Always the same object. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.aborted) this.controller.abort(this.ended!.reason);
      else if (this.source) this.listen(this.source);
    }
    return this.controller.signal;
  }

  /** Whether it is aborted by now. */
  get aborted(): boolean {
    if (this.ended === undefined && this.source?.aborted === true) this.abort(this.source.reason);
    return this.ended !== undefined;
  }

  /** Why; undefined until it is aborted. */
  get reason(): unknown {
    return this.aborted ? this.ended?.reason : undefined;
  }

  /** Follows `source` instead of what it followed before; undefined: nothing any more. No listener is left behind. */
  follow(source: AbortSource | undefined): void {
    // Looks at the former one for the last time.
    if (this.source?.aborted === true) this.abort(this.source.reason);
    this.stopListening?.();
    this.source = source;
    if (source && this.controller && !this.aborted) this.listen(source);
  }

  /** Aborts, once. The reason of what it follows takes precedence, if that is aborted by now. */
  abort(reason: unknown): void {
    if (this.ended !== undefined) return;
    const { source } = this;
    this.ended = { reason: source?.aborted === true ? source.reason : reason };
    this.controller?.abort(this.ended.reason);
  }

  private listen(source: AbortSource): void {
    const listener = (): boolean => this.aborted;
    source.addEventListener('abort', listener, { once: true });
    this.stopListening = () => source.removeEventListener('abort', listener);
  }
}
