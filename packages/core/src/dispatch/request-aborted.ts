/** Why a request ended before its answer: the client closed the connection, cancelled it by notification, or the server is shutting down. */
export type AbortCause = 'disconnected' | 'cancelled' | 'shutdown';

const MESSAGES: Readonly<Record<AbortCause, string>> = {
  disconnected: 'The client closed the connection',
  cancelled: 'The client cancelled the request',
  shutdown: 'The server is shutting down',
};

/**
 * The reason of `Exchange.signal` (MCP basic/utilities/cancellation). Its name is `AbortError`, as for `fetch` and
 * timers, so that rejections because of it can be told from failures.
 */
export class RequestAborted extends Error {
  override readonly name = 'AbortError';

  constructor(readonly abortCause: AbortCause) {
    super(MESSAGES[abortCause]);
  }
}

/** Whether the request was aborted because the server shuts down; a method that holds a stream then says its last word and returns. */
export function isShutdown(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof RequestAborted && signal.reason.abortCause === 'shutdown';
}
