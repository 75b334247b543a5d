import type { McpPrincipal } from '../envelope/principal.js';
import type { MaybePromise } from '../protocol/maybe-promise.js';
import type { McpResult } from '../protocol/messages.js';
import type { DispatchContext, DispatchTarget } from './dispatch-context.js';

/** One JSON-RPC method: how its params are read and how it is answered. */
export interface McpMethod {
  /** The JSON-RPC method name, such as `tools/list`. */
  readonly name: string;
  /**
   * `endpoint` (default): the app's global guards, the endpoint's guards and the principal source run before `handle`.
   * `handler`: the method runs a Nest handler, in whose pipeline they run exactly once.
   */
  readonly guards?: 'endpoint' | 'handler';
  /** An extension the client must have declared on this request; without it the answer is `-32021`, before anything is looked up. */
  readonly requiredExtension?: string;
  /**
   * Reads the params into a target that interceptors see. Throws an `McpError`, usually `-32602`.
   * @param enter passes the endpoint's guards at once and returns the caller, for targets that depend on it; the
   * caller is settled then
   * @param found reports which handler the params name, as soon as that is known: its guards run before a later error
   * is answered
   */
  resolve?(
    context: DispatchContext,
    enter: () => Promise<McpPrincipal | undefined>,
    found: (handler: object) => void,
  ): MaybePromise<DispatchTarget>;
  /** Answers. Throws an `McpError` for a JSON-RPC error; any other error is masked as `-32603`. */
  handle(context: DispatchContext): MaybePromise<McpResult>;
}
