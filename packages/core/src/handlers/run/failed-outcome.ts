import { McpToolError } from '../../errors/mcp-tool.error.js';
import { McpError } from '../../errors/mcp.error.js';
import { RecordedHttpError } from '../response/answered-response.js';
import type { FilterAnswer } from '../nest/filter-chain.js';
import type { HandlerCall } from './handler-call.js';
import { InvalidArgumentsError } from '../failure/handler-failure.js';
import type { PipelineRun } from './handler-pipeline.js';
import type { ResponseFacade } from '../response/response-facade.js';
import type { Ended, HandlerOutcome } from './invocation.js';
import type { RunParts } from './run-parts.js';

/** An execution that has failed. */
export interface FailedRun {
  readonly parts: RunParts;
  readonly call: HandlerCall;
  readonly pipeline: PipelineRun;
  readonly response: ResponseFacade;
  readonly ended: Ended;
}

/**
 * The outcome of a failure, by how far the call had come. Rejects if the thrown value throws when it is touched, as a
 * Proxy or a getter may.
 */
export async function failedOutcome(error: unknown, { parts, call, pipeline, response, ended }: FailedRun): Promise<HandlerOutcome> {
  const { failure, refusals, translation } = parts;
  const { where } = call.handler;
  if (call.stage === 'endpoint') return { kind: 'failed', error: refusals.refused(error, { where, call, response }) };
  if (call.stage === 'guards') return { kind: 'failed', error: refusals.denied(error, { where, call, response }) };
  const told = translation.translate(error);
  if (told instanceof McpError) return { kind: 'failed', error: failure.thrown(told, where) };
  const answer: FilterAnswer = isMeantForClients(told) ? { kind: 'none', logged: false } : await pipeline.filter(told);
  if (answer.kind === 'value') return { kind: 'returned', value: answer.value, ...ended };
  const outcome = answer.kind === 'error' ? translation.translate(answer.error) : told;
  if (outcome instanceof McpError) return { kind: 'failed', error: failure.thrown(outcome, where) };
  // What a body throws because it was cancelled is no defect, and nobody is left to read it.
  const log = call.execution.stopped ? 'none' : answer.kind === 'none' && answer.logged ? 'id' : 'stack';
  return { kind: 'threw', error: outcome, log, atArguments: call.stage === 'arguments', ...ended };
}

/** Errors whose text was written for the client already, which no filter written for something else may change. */
function isMeantForClients(error: unknown): boolean {
  return error instanceof McpToolError || error instanceof InvalidArgumentsError || error instanceof RecordedHttpError;
}
