import type { RequestEnvelope } from '../envelope/request-envelope.js';
import type { AbortSource } from '../protocol/abort-source.js';
import type { NotificationSink } from '../notifications/sinks.js';

/** The routing headers of a request, by lower-case name. A header sent twice is a list, which is always refused. */
export type RoutingHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Tells whether the reply of one request got onto the wire. */
export interface Delivery {
  /**
   * Calls `listener` once: with `true` when the reply was handed to the socket whole, with `false` when the connection was lost before.
   * A listener added after that is called at once.
   */
  onSettled(listener: (reached: boolean) => void): void;
}

/** The value of a response header. */
export type HeaderValue = string | number | readonly string[];

/** Takes headers for the HTTP response, until its head is sent; later ones have no effect. */
export interface HeaderSink {
  set(name: string, value: HeaderValue): void;
  remove(name: string): void;
}

/** The transport's side of one request. HTTP and stdio differ here and nowhere further in. */
export interface Exchange {
  /** Aborts when the client is gone or has cancelled this request. */
  readonly signal: AbortSignal;
  /** The same for readers that only look: reading it creates no signal. Absent: `signal` exists in any case. */
  readonly abortSource?: AbortSource;
  readonly notifications: NotificationSink;
  readonly delivery: Delivery;
  /** Only a transport that has headers; without them no routing header is expected. */
  readonly headers?: RoutingHeaders;
  /** Only where the message has none of its own, being of an older revision: this stands in its place, and its revision is settled. */
  readonly envelope?: RequestEnvelope;
  /** Only a transport that has them: where the headers go that enhancers set on the response. */
  readonly responseHeaders?: HeaderSink;
  /**
   * The request that HTTP guards, `@Inject(REQUEST)` and parameter decorators see. A transport without HTTP marks its
   * own by `standInRequest`.
   */
  readonly request: object;
}

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

/** Marks a request that nobody sent over HTTP. A registered symbol, so that two copies of this package agree. */
const STAND_IN = Symbol.for('@mocapi/core:stand-in-request');

/** The context type that enhancers see in Nest: an HTTP request, or a call that came without one. */
export type ContextType = 'http' | 'mcp';

/**
 * Marks `request` as a stand-in: it has the shape of an HTTP request, but no HTTP client waits for its answer. Enhancers that run with it
 * see a context of type `'mcp'`. Use it for requests of other transports and for executions that nobody called.
 *
 * @returns the same object
 */
export function standInRequest<Request extends object>(request: Request): Request {
  return Object.defineProperty(request, STAND_IN, { value: true });
}

/** The type of the context around `request`: `'http'` unless it was marked by {@link standInRequest}, so that a guard never skips what it does not know. */
export function contextTypeOf(request: object): ContextType {
  return STAND_IN in request ? 'mcp' : 'http';
}
