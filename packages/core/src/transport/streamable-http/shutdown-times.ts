/** How long each part of the end of an endpoint may take; milliseconds, 0: not at all. */
export interface ShutdownTimes {
  /** How long new requests are refused, at the longest, before the app stops listening. */
  readonly noticeMs: number;
  /** How long requests in flight may continue before they are aborted. */
  readonly drainMs: number;
}

/** Default times. */
export const SHUTDOWN_TIMES: ShutdownTimes = { noticeMs: 500, drainMs: 2_000 };

/** So long after the last new request, nobody is expected any more. */
export const QUIET_MS = 100;
