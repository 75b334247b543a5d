import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { describeThrown } from '../errors/error-to-json-rpc.js';
import { McpError } from '../errors/mcp.error.js';
import { ErrorCode } from '../protocol/error-codes.js';
import type { SchemaIssue } from '../schema/compiled-schema.js';
import { isHttpError } from './error-message.js';

/** What about failures a deployment may choose. */
export interface FailureOptions {
  /** The code of a denial; unset: the status of the exception that denied, 403 by default. */
  readonly forbiddenCode?: number;
  readonly exposeErrorMessages: boolean;
}

/** How much of a masked error is written: all; its id alone, because Nest has written the stack already; or nothing. */
export type FailureLog = 'stack' | 'id' | 'none';

/** The arguments of a call do not conform to the handler's schema. */
export class InvalidArgumentsError extends Error {
  constructor(readonly issues: readonly SchemaIssue[]) {
    super(issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('\n'));
  }
}

/** An error without what is not the client's business, and the id under which the log has the rest. */
export interface MaskedError {
  readonly message: string;
  readonly errorId: string;
}

/** Turns what ended an execution into what its caller sees, the same for every kind of handler. What is masked is logged once. */
export class HandlerFailure {
  private readonly logger = new Logger('McpHandler');

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

  /** A failure that becomes a JSON-RPC error: masked unless it was meant for the client. */
  fault(error: unknown, name: string, log: FailureLog = 'stack'): McpError {
    if (error instanceof McpError) return error;
    const { message, errorId } = this.mask(error, name, log);
    return new McpError(ErrorCode.InternalError, message, { data: { errorId } });
  }

  /** What may be told of an unexpected error. */
  mask(error: unknown, name: string, log: FailureLog): MaskedError {
    const errorId = randomUUID();
    const description = log === 'stack' ? describeThrown(error) : undefined;
    if (log !== 'none') this.logger.error(`${name} failed with an internal error, errorId ${errorId}`, description);
    const told = this.options.exposeErrorMessages && error instanceof Error;
    return { message: told ? `Internal error: ${error.message}` : 'Internal error', errorId };
  }

  /** Writes the cause of a failure whose message was meant for the client. */
  logCause(error: Error, name: string): void {
    if (error.cause !== undefined) this.logger.error(`${name} failed: ${error.message}`, describeThrown(error));
  }

  /** A guard refuses by an `HttpException` or by saying no; anything else it throws denies as well, but is a defect somebody must hear of. */
  private logDefect(error: unknown): void {
    if (!isHttpError(error)) this.logger.error('A guard failed, which denies', describeThrown(error));
  }
}

/** The status of a denial: that of the exception if it is a client error, else 403. */
function clientStatus(error: unknown): number {
  const status = isHttpError(error) ? error.getStatus() : 403;
  return status >= 400 && status < 500 ? status : 403;
}
