import type { ArgumentsHost, CanActivate, ExecutionContext } from '@nestjs/common';
import type { MaybePromise } from '../../protocol/maybe-promise.js';
import type { McpPrincipal } from '../../envelope/principal.js';
import type { RequestEnvelope } from '../../envelope/request-envelope.js';
import type { HandlerDefinition } from '../../discovery/handler-definition.js';

/** Where Nest's execution arguments hold the call. */
export const EXECUTION_INDEX = 3;

/** The call to which the framework's own guards report. */
export interface GuardedCall {
  /** The app's global guards have passed: the endpoint's guards run, which alone need the context, and the caller is settled. Throws to refuse. */
  enterEndpoint(context: () => ExecutionContext): MaybePromise<void>;
  /** Every guard has passed. Throws to refuse. */
  guardsPassed(): MaybePromise<void>;
}

/** Marks what the framework's guards talk to. A registered symbol, so that two copies of this package agree. */
export const GUARDED = Symbol.for('@mocapi/core:GuardedCall');

/** Marks an object as what the framework's guards talk to. */
export abstract class Guarded implements GuardedCall {
  get [GUARDED](): true {
    return true;
  }

  /**
   * Whether the application's and the endpoint's guards have already passed, so that only those of class and method
   * run.
   */
  abstract readonly isInside: boolean;

  /** The guard that was asked last. */
  abstract guard: CanActivate | undefined;

  abstract enterEndpoint(context: () => ExecutionContext): MaybePromise<void>;
  abstract guardsPassed(): MaybePromise<void>;
}

/** The cause of an execution: the call itself, answers to a task's questions, or the death of the node that ran it. */
export type ExecutionTrigger = 'call' | 'update' | 'takeover';

/** The execution that guards, interceptors and filters surround, besides Nest's own context. */
export abstract class McpExecution extends Guarded {
  /** The tool, prompt, resource or template that runs. */
  abstract readonly handler: HandlerDefinition;
  /** The arguments as they were sent; checked from the validation stratum inward. */
  abstract readonly arguments: Readonly<Record<string, unknown>>;
  abstract readonly trigger: ExecutionTrigger;
  /** `task` once the execution is a task's. */
  abstract readonly mode: 'sync' | 'task';
  /** The execution is a task's or may become one: it can outlive its request, so timeouts and transactions may want to step aside. */
  abstract readonly mayBecomeTask: boolean;
  abstract readonly envelope: RequestEnvelope;
  /** Settled after the global and the endpoint's guards, before the guards of class and method. */
  abstract readonly principal: McpPrincipal | undefined;
  /** One object for the whole execution: request gone, task cancelled, expired, suspended; the reason says which. */
  abstract readonly signal: AbortSignal;

  /** The execution a Nest context belongs to. @throws TypeError where there is none, as {@link find} says */
  static of(context: ArgumentsHost): McpExecution {
    const execution = McpExecution.find(context);
    if (execution) return execution;
    throw new TypeError('McpExecution.of() needs the context of an MCP handler; use McpExecution.find() where the context may be another');
  }

  /**
   * The same for guards that run for more than handlers: undefined for HTTP routes, and for methods of the endpoint
   * that run no handler, such as lists and `tasks/*`. Use it to tell a handler from a route: over HTTP
   * `context.getType()` is `'http'` for both.
   */
  static find(context: ArgumentsHost): McpExecution | undefined {
    const execution: unknown = context.getArgByIndex(EXECUTION_INDEX);
    return execution instanceof McpExecution ? execution : undefined;
  }
}
