import { STATUS_CODES } from 'node:http';
import { Logger, type CanActivate } from '@nestjs/common';
import { entranceRefusal } from '../../errors/refusals.js';
import { describeThrown } from '../../errors/thrown.js';
import { McpError } from '../../errors/mcp.error.js';
import { isHttpError } from './error-message.js';
import type { HandlerFailure } from './handler-failure.js';
import { loggable } from '../../protocol/texts.js';

/** Characters of what a guard says, in the log. */
const MAX_REASON = 500;

/** The headers that guards have set on the response. */
export interface HeadersSeen {
  getHeaderNames(): string[];
  getHeader(name: string): unknown;
}

/** Where a guard refused. */
export interface Refused {
  /** The handler as `Class.method`; undefined for a method that runs none. */
  readonly where: string | undefined;
  /** The call that the guards found in their context. */
  readonly call: { readonly guard: CanActivate | undefined };
  readonly response: HeadersSeen;
}

/** Turns what a guard threw into the answer to its caller. Who refused, and why, goes to the log alone. */
export class GuardRefusals {
  private readonly logger = new Logger('McpGuards');

  /** @param forbiddenCode the code of every refusal; unset: its HTTP status */
  constructor(
    private readonly forbiddenCode: number | undefined,
    private readonly failure: HandlerFailure,
  ) {}

  /** A refusal to enter the endpoint: the whole answer, with the HTTP status of the exception. */
  refused(error: unknown, at: Refused): McpError {
    this.log(error, at);
    if (error instanceof McpError) return entranceRefusal(this.failure.thrown(error, 'A guard'));
    const status = statusOf(error);
    return entranceRefusal(this.answer(status, status, at));
  }

  /** A denial by a guard of class or method, in-band. */
  denied(error: unknown, at: Refused): McpError {
    this.log(error, at);
    return error instanceof McpError ? this.failure.thrown(error, 'A guard') : this.answer(statusOf(error), 200, at);
  }

  private answer(status: number, httpStatus: number, { response }: Refused): McpError {
    const retry = retryAfterMs(response);
    const data = retry === undefined ? {} : { data: { retryAfterMs: retry } };
    return new McpError(this.forbiddenCode ?? status, STATUS_CODES[status] ?? 'Forbidden', { httpStatus, ...data });
  }

  /** A guard refuses by an `HttpException`, an `McpError` or by saying no; anything else it throws denies as well, but is a defect. */
  private log(error: unknown, { where = 'a method without a handler', call }: Refused): void {
    if (!isHttpError(error) && !(error instanceof McpError)) {
      this.logger.error('A guard failed, so the request is denied', describeThrown(error));
      return;
    }
    const guard = call.guard?.constructor.name ?? 'A guard';
    const reason = isHttpError(error)
      ? `${error.getStatus()} ${(error as { message?: string }).message ?? ''}`
      : `${error.code} ${error.message}`;
    this.logger.debug(`${guard} refused ${where}: ${loggable(reason, MAX_REASON)}`);
  }
}

function statusOf(error: unknown): number {
  const status = isHttpError(error) ? error.getStatus() : 403;
  return status >= 400 && status < 500 ? status : 403;
}

/** Milliseconds after which a client may try again, as `Retry-After` on the response says: seconds, or a date (RFC 9110 §10.2.3). */
function retryAfterMs(response: HeadersSeen): number | undefined {
  const name = response.getHeaderNames().find((key) => key === 'retry-after' || key.startsWith('retry-after-'));
  const value = name === undefined ? undefined : response.getHeader(name);
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (/^\d{1,12}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const date = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
