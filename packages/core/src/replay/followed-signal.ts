/** An abort signal that lives as long as an execution, while what it follows may change. */
export class FollowedSignal {
  private readonly controller = new AbortController();
  private source?: AbortSignal;
  private readonly onAbort = (): void => this.controller.abort(this.source?.reason);

  constructor(source: AbortSignal) {
    this.follow(source);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Follows `source` instead of what it followed before. */
  follow(source: AbortSignal): void {
    this.release();
    this.source = source;
    if (source.aborted) this.onAbort();
    else source.addEventListener('abort', this.onAbort, { once: true });
  }

  abort(reason: unknown): void {
    if (!this.controller.signal.aborted) this.controller.abort(reason);
  }

  /** Follows nothing any more; no listener is left behind. */
  release(): void {
    this.source?.removeEventListener('abort', this.onAbort);
  }
}
