/** Tells that something was aborted, and why: an `AbortSignal`, or a lighter object of the same shape. */
export interface AbortSource {
  readonly aborted: boolean;
  /** Why; undefined until it is aborted. */
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
