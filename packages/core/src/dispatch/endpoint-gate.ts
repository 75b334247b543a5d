import type { McpPrincipal } from '../envelope/principal.js';
import type { DispatchContext } from './dispatch-context.js';

/**
 * Runs the app's global guards, the endpoint's guards and the principal source for a method that runs no Nest handler.
 * Implemented where Nest is known; the dispatcher only asks.
 */
export abstract class EndpointGate {
  /** @throws McpError with the HTTP status of the refusal (401 or 403) */
  abstract enter(context: Omit<DispatchContext, 'endpoint'>): Promise<McpPrincipal | undefined>;
}
