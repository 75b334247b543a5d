import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { describeThrown } from '../errors/error-to-json-rpc.js';
import { McpError } from '../errors/mcp.error.js';
import { McpToolError } from '../errors/mcp-tool.error.js';
import { ErrorCode } from '../protocol/error-codes.js';
import type { CallToolResult } from '../protocol/tool-result.js';
import { text } from '../results/content.js';
import { toolResult } from '../results/map-tool-result.js';
import type { SchemaIssue } from '../schema/compiled-schema.js';
import { httpErrorMessage, isHttpError } from './error-message.js';

/** What about failures a deployment may choose. */
export interface FailureOptions {
  /** The code of a denial; unset: the status of the exception that denied, 403 by default. */
  readonly forbiddenCode?: number;
  readonly exposeErrorMessages: boolean;
}

/** How much of a masked error is written: all; its id alone, because Nest has written the stack already; or nothing. */
export type FailureLog = 'stack' | 'id' | 'none';

/** The arguments of a call do not conform to the tool's schema. */
export class InvalidArgumentsError extends Error {
  constructor(readonly issues: readonly SchemaIssue[]) {
    super(issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('\n'));
  }
}

/** Turns what a handler threw into what its caller sees. Messages meant for clients go out; anything else is masked, and logged once. */
export class ToolFailure {
  private readonly logger = new Logger('McpTool');

  constructor(private readonly options: FailureOptions) {}

  /** A refusal to enter the endpoint: the whole answer, with the exception's HTTP status. */
  refused(error: unknown): McpError {
    if (error instanceof McpError) return error;
    this.logDefect(error);
    const status = clientStatus(error);
    return new McpError(this.options.forbiddenCode ?? status, 'Forbidden', { httpStatus: status });
  }

  /** A guard's denial, in-band: the same whoever asks, and nothing about why. */
  denied(error: unknown): McpError {
    if (error instanceof McpError) return error;
    this.logDefect(error);
    return new McpError(this.options.forbiddenCode ?? clientStatus(error), 'Forbidden', { httpStatus: 200 });
  }

  /** A failure of the framework's own making around a call: a JSON-RPC error, masked unless it was meant for the client. */
  fault(error: unknown, toolName: string): McpError {
    if (error instanceof McpError) return error;
    const errorId = this.log(error, toolName);
    return new McpError(ErrorCode.InternalError, this.internalMessage(error), { data: { errorId } });
  }

  /** The `isError` result of a tool that failed. */
  result(error: unknown, { toolName, log }: { toolName: string; log: FailureLog }): CallToolResult {
    if (error instanceof McpToolError) return this.toolError(error, toolName);
    if (error instanceof InvalidArgumentsError) return errorResult(`Invalid arguments for ${toolName}:\n${error.message}`);
    if (isHttpError(error)) return errorResult(httpErrorMessage(error));
    const errorId = this.log(error, toolName, log);
    return errorResult(`${this.internalMessage(error)} (errorId ${errorId})`);
  }

  private toolError(error: McpToolError, toolName: string): CallToolResult {
    if (error.cause !== undefined) this.logger.error(`${toolName} failed: ${error.message}`, describeThrown(error));
    return toolErrorResult(error);
  }

  /** A guard refuses by an `HttpException` or by saying no; anything else it throws denies as well, but is a defect somebody must hear of. */
  private logDefect(error: unknown): void {
    if (!isHttpError(error)) this.logger.error('A guard failed, which denies', describeThrown(error));
  }

  private internalMessage(error: unknown): string {
    return this.options.exposeErrorMessages && error instanceof Error ? `Internal error: ${error.message}` : 'Internal error';
  }

  private log(error: unknown, toolName: string, log: FailureLog = 'stack'): string {
    const errorId = randomUUID();
    const description = log === 'stack' ? describeThrown(error) : undefined;
    if (log !== 'none') this.logger.error(`${toolName} failed with an internal error, errorId ${errorId}`, description);
    return errorId;
  }
}

function toolErrorResult(error: McpToolError): CallToolResult {
  const { content = [], structuredContent } = error;
  return toolResult({
    content: [text(error.message), ...content],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError: true,
  });
}

function errorResult(message: string): CallToolResult {
  return toolResult({ content: [text(message)], isError: true });
}

/** The status of a denial: that of the exception if it is a client error, else 403. */
function clientStatus(error: unknown): number {
  const status = isHttpError(error) ? error.getStatus() : 403;
  return status >= 400 && status < 500 ? status : 403;
}
