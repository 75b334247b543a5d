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
