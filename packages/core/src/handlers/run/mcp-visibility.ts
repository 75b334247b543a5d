import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import type { HandlerClass } from '../../discovery/find-handlers.js';
import type { McpPrincipal } from '../../envelope/principal.js';

/** The caller and the handler by which a guard decides whether the caller sees the handler. */
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
 * A guard that also decides who sees a handler. Hidden handlers are left out of lists, and calls, reads and
 * completions of them answer exactly as for unknown ones. `canActivate` still runs at each call. The answer is asked
 * for often and cached: it must depend only on the context.
 */
export interface McpVisibility {
  canSee(context: McpVisibilityContext): boolean;
}

/** Whether a guard is one that hides. */
export function isVisibility(guard: unknown): guard is McpVisibility {
  return typeof (guard as Partial<McpVisibility> | null | undefined)?.canSee === 'function';
}
