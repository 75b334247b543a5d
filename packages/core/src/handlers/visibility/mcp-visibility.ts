import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import type { HandlerClass } from '../../discovery/find-handlers.js';
import type { McpPrincipal } from '../../envelope/principal.js';

/** What a guard may judge by when it is asked whether a caller sees a handler: the caller, and what the handler is. */
export interface McpVisibilityContext {
  readonly principal: McpPrincipal | undefined;
  readonly handler: HandlerDefinition;
  /** The author's method, for a `Reflector`. */
  // The form that Nest's own execution context gives it.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  getHandler(): Function;
  /** The author's class, for a `Reflector`. */
  getClass(): HandlerClass;
}

/**
 * A guard that also says who sees a handler. What it hides is left out of lists, and calls, reads and completions answer exactly as for what does not exist.
 * `canActivate` is asked all the same, at each call. Asked often and kept: the answer must depend on the context alone.
 */
export interface McpVisibility {
  canSee(context: McpVisibilityContext): boolean;
}

/** Whether a guard is one that hides. */
export function isVisibility(guard: unknown): guard is McpVisibility {
  return typeof (guard as Partial<McpVisibility> | null | undefined)?.canSee === 'function';
}
