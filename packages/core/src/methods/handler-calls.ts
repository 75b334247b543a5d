import { Inject, Injectable } from '@nestjs/common';
import type { DispatchContext, DispatchTarget } from '../dispatch/dispatch-context.js';
import type { HandlerDefinition } from '../discovery/handler-definition.js';
import { callError } from '../handlers/failure/call-error.js';
import { HandlerFailure } from '../handlers/failure/handler-failure.js';
import { HandlerInvoker } from '../handlers/run/handler-invoker.js';
import type { HandlerOutcome } from '../handlers/run/invocation.js';
import type { JsonObject } from '../protocol/json.js';
import { whenReady, type MaybePromise } from '../protocol/maybe-promise.js';
import type { McpResult } from '../protocol/messages.js';
import { CallWire } from './call-wire.js';

/** The subject of a `prompts/get` or `resources/read`; `name` is the prompt or the URI that the request named. */
export interface HandlerCallTarget extends DispatchTarget {
  readonly handler: HandlerDefinition;
  readonly arguments: JsonObject;
  /** Of a read. */
  readonly uri?: string;
}

/** Runs the handlers that are no tools within their request, and turns what came of it into the answer. */
@Injectable()
export class HandlerCalls {
  constructor(
    @Inject(HandlerInvoker) private readonly invoker: HandlerInvoker,
    @Inject(HandlerFailure) private readonly failure: HandlerFailure,
    @Inject(CallWire) private readonly wire: CallWire,
  ) {}

  /** @param toResult what a returned value is on the wire; what it throws is an internal error. @throws McpError */
  answer(context: DispatchContext, target: HandlerCallTarget, toResult: (value: unknown) => McpResult): MaybePromise<McpResult> {
    const { handler } = target;
    const outcome = this.invoker.invoke({ handler, ...this.wire.execution(context, target) });
    return whenReady(outcome, (ended) => this.answerOf(ended, { context, target, toResult }));
  }

  private answerOf(
    outcome: HandlerOutcome,
    { context, target, toResult }: { context: DispatchContext; target: HandlerCallTarget; toResult: (value: unknown) => McpResult },
  ): McpResult {
    const { handler, uri } = target;
    switch (outcome.kind) {
      case 'returned':
        return this.mapped(outcome.value, handler, toResult);
      case 'inputRequired':
        return this.wire.ask(context, target, outcome);
      case 'threw':
        throw callError({ handler, outcome, ...(uri === undefined ? {} : { uri }) }, this.failure);
      case 'failed':
        throw outcome.error;
    }
  }

  private mapped(value: unknown, { name }: HandlerDefinition, toResult: (value: unknown) => McpResult): McpResult {
    try {
      return toResult(value);
    } catch (error) {
      throw this.failure.fault(error, name);
    }
  }
}
