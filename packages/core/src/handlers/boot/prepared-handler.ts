import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import type { HandlerHiding } from '../visibility/hiding-guards.js';
import type { HandlerPipeline } from '../run/handler-pipeline.js';
import type { HandlerStrata } from '../run/strata.js';

/** Runs a handler: its strata and Nest's pipeline around the author's method. */
export interface PreparedHandler {
  readonly strata: HandlerStrata;
  readonly pipeline: HandlerPipeline;
  /** Whether one of its parameters is a context, by which it may ask. */
  readonly hasContext: boolean;
  /** The guards that may hide it; absent: none but those that judge every handler. */
  readonly hiding?: HandlerHiding;
}

/**
 * Holds the prepared form of each of the server's handlers; filled at boot. Whether one of them may be hidden is
 * counted, as every change on every stream asks it.
 */
export class PreparedHandlers {
  private readonly byHandler = new Map<HandlerDefinition, PreparedHandler>();
  private hideable = 0;

  /** Whether a guard of their own may hide one of the handlers. Costs the same however many there are. */
  hidesSome = false;

  get(handler: HandlerDefinition): PreparedHandler | undefined {
    return this.byHandler.get(handler);
  }

  has(handler: HandlerDefinition): boolean {
    return this.byHandler.has(handler);
  }

  /** Adds a handler, or replaces what runs it. */
  set(handler: HandlerDefinition, prepared: PreparedHandler): void {
    this.delete(handler);
    this.byHandler.set(handler, prepared);
    if (mayBeHidden(prepared)) this.hideable += 1;
    this.hidesSome = this.hideable > 0;
  }

  /** Removes a handler; one that is not there is left alone. */
  delete(handler: HandlerDefinition): void {
    const prepared = this.byHandler.get(handler);
    if (!prepared) return;
    this.byHandler.delete(handler);
    if (mayBeHidden(prepared)) this.hideable -= 1;
    this.hidesSome = this.hideable > 0;
  }
}

function mayBeHidden({ hiding }: PreparedHandler): boolean {
  return hiding !== undefined && hiding.guards.length > 0;
}
