import { Inject, Injectable, Logger } from '@nestjs/common';
import { ErrorTranslation } from '../../errors/error-translation.js';
import { invalidParams } from '../../errors/mcp.error.js';
import type { MaybePromise } from '../../protocol/maybe-promise.js';
import { EndpointEntrance } from './endpoint-entrance.js';
import { GuardRefusals } from '../failure/guard-refusals.js';
import { HandlerFailure } from '../failure/handler-failure.js';
import { PreparedHandlers } from '../boot/prepared-handler.js';
import { ResponseStandIns } from '../response/response-stand-ins.js';
import { HandlerRun } from './handler-run.js';
import type { HandlerInvocation, HandlerOutcome } from './invocation.js';
import type { RunParts } from './run-parts.js';

/**
 * Runs a handler once through Nest's pipeline against a ledger, on or off any request: the one core that every kind of handler and both carriers use.
 * It never rejects; every ending is an outcome.
 */
@Injectable()
export class HandlerInvoker {
  private readonly parts: RunParts;

  constructor(
    @Inject(PreparedHandlers) private readonly prepared: PreparedHandlers,
    @Inject(EndpointEntrance) entrance: EndpointEntrance,
    @Inject(HandlerFailure) failure: HandlerFailure,
    @Inject(ErrorTranslation) translation: ErrorTranslation,
    @Inject(GuardRefusals) refusals: GuardRefusals,
    @Inject(ResponseStandIns) responses: ResponseStandIns,
  ) {
    this.parts = { entrance, failure, translation, refusals, responses, logger: new Logger('McpReplay') };
  }

  /** Answers at once where nothing waits. It never throws or rejects. */
  invoke(invocation: HandlerInvocation): MaybePromise<HandlerOutcome> {
    const prepared = this.prepared.get(invocation.handler);
    if (prepared) return new HandlerRun(this.parts, invocation, prepared).run();
    return { kind: 'failed', error: invalidParams(`Unknown ${invocation.handler.kind}: ${invocation.handler.name}`) };
  }
}
