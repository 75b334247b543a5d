import type { ArgumentsHost } from '@nestjs/common';
import { EXECUTION_INDEX, Guarded } from './framework-guards.js';
import type { McpPrincipal } from '../envelope/principal.js';
import type { RequestEnvelope } from '../envelope/request-envelope.js';
import type { HandlerDefinition } from '../discovery/handler-definition.js';

/** What brought an execution about: the call itself, answers to a task's questions, or the death of the node that ran it. */
export type ExecutionTrigger = 'call' | 'update' | 'takeover';

/** What guards, interceptors and filters may know of the execution they stand around, beside Nest's own context. */
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

  /** The execution a Nest context belongs to. @throws TypeError when its type is not `'mcp'` */
  static of(context: ArgumentsHost): McpExecution {
    const execution: unknown = context.getArgByIndex(EXECUTION_INDEX);
    if (execution instanceof McpExecution) return execution;
    throw new TypeError(`McpExecution.of() needs a context of type 'mcp', this one is '${context.getType<string>()}'`);
  }
}
