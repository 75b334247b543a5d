import type { AbortSource } from '../protocol/abort-source.js';

/**
 * An abort signal that lives as long as an execution, while the signal that it follows may change. It reads the
 * followed signal when it is read, and listens only once somebody has asked for the signal.
 */
export class FollowedSignal {
  private controller?: AbortController;
  private ended?: { readonly reason: unknown };
  private source?: AbortSource | undefined;
  private readonly onAbort = (): boolean => this.aborted;

  constructor(source: AbortSource) {
    this.source = source;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.aborted) this.controller.abort(this.ended!.reason);
      else this.source?.addEventListener('abort', this.onAbort, { once: true });
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

  /** Follows `source` instead of what it followed before. */
  follow(source: AbortSource): void {
    this.release();
    this.source = source;
    if (!this.aborted && this.controller) source.addEventListener('abort', this.onAbort, { once: true });
  }

  /** Aborts, once. The reason of what it follows takes precedence, if that is aborted by now. */
  abort(reason: unknown): void {
    if (this.ended !== undefined) return;
    const { source } = this;
    this.ended = { reason: source?.aborted === true ? source.reason : reason };
    this.controller?.abort(this.ended.reason);
  }

  /** Follows nothing any more; no listener is left behind. */
  release(): void {
    // Looks for the last time. A listener is there only if somebody asked for the signal.
    if (this.aborted || this.controller) this.source?.removeEventListener('abort', this.onAbort);
    this.source = undefined;
  }
}
