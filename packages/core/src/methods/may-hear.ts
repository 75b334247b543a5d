import type { McpPrincipal } from '../envelope/principal.js';
import type { Surface } from './surface.js';

/**
 * Whether the caller may be told that what is read under `uri` has changed: not when every resource and template of the URI is hidden from them,
 * so that a hidden resource is as silent as one that does not exist. What no resource serves is the application's to announce.
 */
export function mayHear({ resources, templates, visibility }: Surface, uri: string, principal: McpPrincipal | undefined): boolean {
  if (!visibility.hidesSome()) return true;
  const exact = resources.get(uri);
  const handlers = [...(exact ? [exact] : []), ...templates.matches(uri).map(({ definition }) => definition)];
  return handlers.length === 0 || handlers.some((handler) => visibility.canSee(handler, principal));
}
