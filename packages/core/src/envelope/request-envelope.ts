import type { JsonObject } from '../protocol/json.js';
import type { LogLevel } from '../protocol/vocabulary.js';
import type { ClientCapabilities, Implementation } from '../protocol/official.js';

/** W3C Trace Context and Baggage as the client sent them in `_meta`; malformed values are absent. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** The content of `params._meta` of a request (MCP basic "_meta"). It is read from each request: nothing is remembered. */
export interface RequestEnvelope {
  readonly protocolVersion: string;
  readonly clientCapabilities: ClientCapabilities;
  /** Unverified; never decides anything. */
  readonly clientInfo?: Implementation;
  readonly progressToken?: string | number;
  /** Log messages at or above this level may be sent on this request's stream; without a level none may. */
  readonly logLevel?: LogLevel;
  readonly trace?: TraceContext;
  /** Further keys of `_meta`: the client's own, and those of extensions; frozen. Unverified, like everything that a client sends. */
  readonly meta?: JsonObject;
}
