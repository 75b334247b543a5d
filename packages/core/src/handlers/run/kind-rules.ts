import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import type { McpPrincipal } from '../../envelope/principal.js';
import type { McpError } from '../../errors/mcp.error.js';
import type { JsonObject } from '../../protocol/json.js';
import type { MaybePromise } from '../../protocol/maybe-promise.js';
import type { McpResult } from '../../protocol/messages.js';
import type { HandlerThrew } from '../failure/handler-failure.js';
import type { CallTarget } from './invocation.js';

/** Passes the endpoint's guards and returns the caller. */
export type Enter = () => Promise<McpPrincipal | undefined>;

/** Tells dispatch which handler a request names. */
export type Found = (handler: HandlerDefinition) => void;

/** All that differs between calling a tool, getting a prompt and reading a resource. */
export interface KindRules<T extends CallTarget = CallTarget> {
  /**
   * Reads the params of a request into its target: a handler that its caller sees.
   * @param found hears of the handler before its arguments are read. @throws McpError -32602
   */
  read(request: { readonly params: JsonObject }, enter: Enter, found: Found): MaybePromise<T>;
  /** The result of what the handler returned; what it throws is an internal error of the handler. */
  toResult(value: unknown, target: T): MaybePromise<McpResult>;
  /** The answer to what the handler threw: a result, or a JSON-RPC error. */
  toFailure(threw: HandlerThrew, target: T): McpResult | McpError;
}
