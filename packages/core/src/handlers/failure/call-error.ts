import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import { McpError, invalidParams } from '../../errors/mcp.error.js';
import { McpToolError } from '../../errors/mcp-tool.error.js';
import { ErrorCode } from '../../protocol/vocabulary.js';
import type { JsonObject } from '../../protocol/json.js';
import { httpErrorMessage, isHttpError } from './error-message.js';
import { InvalidArgumentsError, type HandlerFailure } from './handler-failure.js';
import type { HandlerOutcome } from '../run/invocation.js';

/** A failure of a handler that is no tool, and what its request named. */
export interface FailedCall {
  readonly handler: HandlerDefinition;
  readonly outcome: Pick<Extract<HandlerOutcome, { kind: 'threw' }>, 'error' | 'log' | 'atArguments'>;
  /** Of a read: stands in the data of -32602. */
  readonly uri?: string;
}

/**
 * The JSON-RPC error of a prompt or resource that failed (MCP server/prompts and server/resources "Error handling"):
 * wrong arguments are -32602, and so is a 404 of a read. Every other failure is -32603, with the message if it was
 * meant for the client, otherwise masked.
 */
export function callError({ handler, outcome: { error, log, atArguments }, uri }: FailedCall, failure: HandlerFailure): McpError {
  const named: JsonObject = uri === undefined ? {} : { uri };
  if (error instanceof InvalidArgumentsError) {
    const issues = error.issues.map(({ path, message }) => ({ path, message }));
    return invalidParams(`Invalid arguments for ${handler.name}:\n${error.message}`, { ...named, issues });
  }
  if (error instanceof McpError) return failure.thrown(error, handler.where);
  if (isHttpError(error)) {
    const message = httpErrorMessage(error);
    const status = error.getStatus();
    if (atArguments && status >= 400 && status < 500) return invalidParams(message, { ...named, issues: [{ path: '', message }] });
    if (status === 404 && uri !== undefined) return invalidParams(message, named);
    return new McpError(ErrorCode.InternalError, message);
  }
  if (error instanceof McpToolError) {
    failure.logCause(error, handler.name);
    return new McpError(ErrorCode.InternalError, error.message);
  }
  return failure.fault(error, handler.name, log);
}
