import type { McpPrincipal } from '../envelope/principal.js';
import type { RequestEnvelope } from '../envelope/request-envelope.js';
import type { JsonObject } from '../protocol/json.js';
import type { RequestId } from '../protocol/messages.js';
import type { Exchange } from './exchange.js';

/** The subject that a method found in its params, for interceptors to see: a tool, or whatever an extension method names. */
export interface DispatchTarget {
  readonly kind: string;
  readonly name: string;
  /** The handler that it runs, if it runs one. Its guards run before an error about it is answered. */
  readonly handler?: object;
}

/**
 * Whether the guards around a request have run. Dispatch runs them before it answers with an error, unless they have
 * run: no answer may reveal more to a stranger than another, and a guard that counts requests counts each of them
 * once.
 */
export interface GuardMark {
  /** `endpoint`: those of the application and the endpoint. `all`: those of a handler too, or one has refused. */
  asked: 'none' | 'endpoint' | 'all';
}

/** One request on its way through dispatch. */
export interface DispatchContext {
  readonly id: RequestId;
  /** The name of the endpoint that it came to. */
  readonly endpoint: string;
  readonly method: string;
  /** The params as sent, `_meta` included; their envelope is checked, the rest is the method's business. */
  readonly params: JsonObject;
  readonly envelope: RequestEnvelope;
  readonly exchange: Exchange;
  /** Set once the method resolved its target; undefined for methods without one. */
  readonly target?: DispatchTarget | undefined;
  /** Which guards were asked about this request. */
  readonly guards?: GuardMark | undefined;
  /** Who is calling. Settled before methods with endpoint guards; handler methods settle it in their own pipeline. */
  readonly principal?: McpPrincipal | undefined;
}
