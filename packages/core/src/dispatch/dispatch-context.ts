import type { McpPrincipal } from '../envelope/principal.js';
import type { RequestEnvelope } from '../envelope/request-envelope.js';
import type { JsonObject } from '../protocol/json.js';
import type { RequestId } from '../protocol/messages.js';
import type { Exchange } from './exchange.js';
import type { GuardMark } from './guard-mark.js';

/** The subject that a method found in its params, for interceptors to see: a tool, or whatever an extension method names. */
export interface DispatchTarget {
  readonly kind: string;
  readonly name: string;
  /** The handler that it runs, if it runs one. Its guards run before an error about it is answered. */
  readonly handler?: object;
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
  readonly target?: DispatchTarget;
  /** Which guards were asked about this request. */
  readonly guards?: GuardMark;
  /** Who is calling. Settled before methods with endpoint guards; handler methods settle it in their own pipeline. */
  readonly principal?: McpPrincipal;
}
