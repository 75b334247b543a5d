import type { HandlerDefinition } from '../discovery/handler-definition.js';
import type { HandlerHiding } from './hiding-guards.js';
import type { NestPipeline } from './nest-pipeline.js';
import type { HandlerStrata } from './strata.js';

/** What runs a handler: its strata and Nest's pipeline around the author's method. */
export interface PreparedHandler {
  readonly strata: HandlerStrata;
  readonly pipeline: NestPipeline;
  /** The guards that may hide it; absent: none but those that judge every handler. */
  readonly hiding?: HandlerHiding;
}

/** What runs each of the server's handlers; filled at boot. */
export class PreparedHandlers extends Map<HandlerDefinition, PreparedHandler> {}
