import { Logger } from '@nestjs/common';
import type { HandlerDefinition } from '../../discovery/handler-definition.js';
import { describeThrown } from '../../errors/thrown.js';
import {
  errorLine,
  maskError,
  report,
  type FailureLog,
  type MaskedError,
  type MaskedSubject,
  type Masking,
} from '../../errors/mask-error.js';
import { McpToolError } from '../../errors/mcp-tool.error.js';
import { McpError, invalidParams } from '../../errors/mcp.error.js';
import { normalError } from '../../errors/normal-error.js';
import { ErrorCode } from '../../protocol/vocabulary.js';
import type { JsonObject } from '../../protocol/json.js';
import { loggable } from '../../protocol/texts.js';
import type { SchemaIssue } from '../../schema/compiled-schema.js';
import { httpErrorMessage, isHttpError } from './error-message.js';

/** Options of a deployment about failures. */
export interface FailureOptions {
  readonly exposeErrorMessages: boolean;
}

/** The arguments of a call do not conform to the handler's schema. */
export class InvalidArgumentsError extends Error {
  constructor(readonly issues: readonly SchemaIssue[]) {
    super(issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('\n'));
  }
}

/** The arguments of a call did not conform, or a pipe, an interceptor or the body failed: the handler's own failure. */
export interface HandlerThrew {
  readonly error: unknown;
  readonly log: FailureLog;
  /** It came of the arguments or their pipes. */
  readonly atArguments: boolean;
}

/** Turns what ended an execution into what its caller sees, the same for every kind of handler. What is masked is logged once. */
export class HandlerFailure {
  private readonly logger = new Logger('McpHandler');
  private readonly masking: Masking;

  constructor(private readonly options: FailureOptions) {
    const { exposeErrorMessages } = options;
    this.masking = { exposeErrorMessages, log: (entry) => this.logger.error(errorLine(entry), entry.description) };
  }

  /**
   * An `McpError` that an author threw, in the form in which it is sent, whatever carries it. Its cause goes to the log. A code that the protocol
   * reserves, or that is no integer, makes it an internal error; see `normalError`.
   * @param where the handler, for the log
   */
  thrown(error: McpError, where: string): McpError {
    const normal = normalError(error, 'handler');
    if ('fault' in normal)
      return this.internal(error, { subject: where, why: `it threw an McpError that cannot be sent: ${normal.fault}` });
    const { leftOut } = normal;
    if (leftOut !== undefined || error.cause !== undefined) {
      const why = leftOut === undefined ? undefined : `the data of its McpError is left out: ${leftOut}`;
      report(this.masking.log, { subject: where, why, description: describeThrown(error), error });
    }
    const { code, message, data } = normal.error;
    return new McpError(code, message, { data, ...chosenStatus(error, code) });
  }

  /** A failure that becomes a JSON-RPC error: masked unless the framework meant it for the client. */
  fault(error: unknown, where: string, log: FailureLog = 'stack'): McpError {
    if (error instanceof McpError) return error;
    return this.internal(error, { subject: where, detail: log });
  }

  /**
   * The JSON-RPC error of a prompt or resource that failed (MCP server/prompts and server/resources "Error handling"):
   * wrong arguments are -32602, and so is a 404 of a read. Every other failure is -32603, with the message if it was
   * meant for the client, otherwise masked.
   * @param uri of a read: stands in the data of -32602
   */
  errorOf({ error, log, atArguments }: HandlerThrew, handler: HandlerDefinition, uri?: string): McpError {
    const named: JsonObject = uri === undefined ? {} : { uri };
    if (error instanceof InvalidArgumentsError) {
      const issues = error.issues.map(({ path, message }) => ({ path, message }));
      return invalidParams(`Invalid arguments for ${handler.name}:\n${error.message}`, { ...named, issues });
    }
    if (error instanceof McpError) return this.thrown(error, handler.where);
    if (isHttpError(error)) {
      const message = httpErrorMessage(error);
      const status = error.getStatus();
      if (atArguments && status >= 400 && status < 500) return invalidParams(message, { ...named, issues: [{ path: '', message }] });
      if (status === 404 && uri !== undefined) return invalidParams(message, named);
      return new McpError(ErrorCode.InternalError, message);
    }
    if (error instanceof McpToolError) {
      this.logCause(error, handler.name);
      return new McpError(ErrorCode.InternalError, error.message);
    }
    return this.fault(error, handler.name, log);
  }

  /** The part of an unexpected error that clients may see. */
  mask(error: unknown, where: string, log: FailureLog): MaskedError {
    return maskError(error, this.masking, { subject: where, detail: log });
  }

  /** Writes the cause of a failure whose message was meant for the client. */
  logCause(error: Error, name: string): void {
    if (error.cause !== undefined) this.logger.error(`${name} failed: ${loggable(error.message)}`, describeThrown(error));
  }

  private internal(error: unknown, masked: MaskedSubject): McpError {
    const { message, errorId } = maskError(error, this.masking, masked);
    return new McpError(ErrorCode.InternalError, message, { data: { errorId } });
  }
}

/**
 * The HTTP status of an error that a handler threw, where the error is the whole response: 200, since the request was carried out, unless its author
 * chose one from 400 on. 404 is kept for methods that do not exist, and a missing capability has the 400 that the revision demands.
 */
function chosenStatus({ httpStatus }: McpError, code: number): { httpStatus?: number } {
  if (code === ErrorCode.MissingRequiredClientCapability) return {};
  const isChosen = Number.isInteger(httpStatus) && httpStatus! >= 400 && httpStatus! <= 599 && httpStatus !== 404;
  return { httpStatus: isChosen ? httpStatus! : 200 };
}
