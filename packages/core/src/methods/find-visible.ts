import type { HandlerDefinition } from '../discovery/handler-definition.js';
import type { McpPrincipal } from '../envelope/principal.js';
import type { MaybePromise } from '../protocol/maybe-promise.js';
import type { HandlerVisibility } from '../handlers/visibility/handler-visibility.js';

/** Passes the endpoint's guards and returns the caller. */
export type Enter = () => Promise<McpPrincipal | undefined>;

/** Tells dispatch which handler a request names. */
export type Found = (handler: HandlerDefinition) => void;

/**
 * The handler if its caller sees it. Where something may be hidden, what may be and what does not exist take the same way: the caller is settled
 * first, so that a refusal to enter is the same for both, and all that follows is as for what does not exist.
 */
export function findVisible<D extends HandlerDefinition>(
  handler: D | undefined,
  visibility: HandlerVisibility,
  enter: Enter,
): MaybePromise<D | undefined> {
  const isOpen = handler ? !visibility.mayHide(handler) : !visibility.hidesSome();
  if (isOpen) return handler;
  return enter().then((principal) => (handler && visibility.canSee(handler, principal) ? handler : undefined));
}
