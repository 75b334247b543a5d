import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import type { McpVisibility } from './mcp-visibility.js';
import type { MethodRef } from '../../nest/metadata.js';
import type { HandlerStrata } from './strata.js';
import type { MaybePromise } from '../../protocol/maybe-promise.js';
import type { HandlerCall } from './handler-call.js';

/** The outcome of a handler's filters for an error. */
export type FilterAnswer =
  /** A filter's value stands for the result. */
  | { readonly kind: 'value'; readonly value: unknown }
  /** A filter threw an error, or answered with an HTTP error and its message: that stands for the original. */
  | { readonly kind: 'error'; readonly error: unknown }
  /** No filter answered. `logged`: Nest has written the stack already. */
  | { readonly kind: 'none'; readonly logged: boolean };

/** A prepared handler: made at boot, run for every execution. */
export interface HandlerPipeline {
  /** Whether anything around the method sees the response, and so may answer by it. */
  readonly showsResponse: boolean;
  /** One for every execution, or how one is made for each: where the host is. */
  readonly run: PipelineRun | ((call: HandlerCall) => Promise<PipelineRun>);
}

/** One handler and what stands around it: entered once in an execution, its filters asked only when it really failed. */
export interface PipelineRun {
  /** Guards, interceptors, pipes, body; at once where nothing waits. Filters are left out: no filter and no log of Nest's ever sees a suspension. */
  enter(call: HandlerCall): MaybePromise<unknown>;
  /** Runs the handler's filters on an error. */
  filter(error: unknown, call: HandlerCall): Promise<FilterAnswer>;
}

/** The guards around one handler that may hide it, and the method they judge. */
export interface HandlerHiding {
  readonly ref: MethodRef;
  readonly guards: readonly McpVisibility[];
}

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
export class PreparedHandlers extends Map<HandlerDefinition, PreparedHandler> {
  /** Whether a guard of their own may hide one of the handlers. Costs the same however many there are. */
  hidesSome = false;
  private hideable = 0;

  /** Adds a handler, or replaces what runs it. */
  override set(handler: HandlerDefinition, prepared: PreparedHandler): this {
    this.delete(handler);
    if (mayBeHidden(prepared)) this.hideable += 1;
    this.hidesSome = this.hideable > 0;
    return super.set(handler, prepared);
  }

  /** Removes a handler; one that is not there is left alone. */
  override delete(handler: HandlerDefinition): boolean {
    if (mayBeHidden(this.get(handler))) this.hideable -= 1;
    this.hidesSome = this.hideable > 0;
    return super.delete(handler);
  }
}

function mayBeHidden(prepared: PreparedHandler | undefined): boolean {
  return prepared?.hiding !== undefined && prepared.hiding.guards.length > 0;
}
