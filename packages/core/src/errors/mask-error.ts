import { randomUUID } from 'node:crypto';
import { describeThrown, readText } from './thrown.js';
import { loggable } from '../protocol/texts.js';

/** Characters of why an error was masked, in the log. */
const MAX_WHY = 1024;

/** A line of the log about an error that the client does not get to see in full. */
export interface ErrorLogEntry {
  /** The id the client was given; absent when the client got the whole error and this is only its cause. */
  readonly errorId?: string;
  /** The name of what failed: a handler, or the JSON-RPC method that was being answered. */
  readonly subject?: string;
  /** Why the error is masked though it was meant for the client. */
  readonly why?: string;
  /** Stack and causes as text, safe to print, whatever was thrown; absent if the log has them already. */
  readonly description?: string;
  /** The thrown value itself. It may be anything, a Proxy that throws included. */
  readonly error: unknown;
}

/** Where the causes of masked errors go. */
export type ErrorLog = (entry: ErrorLogEntry) => void;

/** How unexpected errors are treated. */
export interface Masking {
  readonly log: ErrorLog;
  /** For development: sends the message of unexpected errors. */
  readonly exposeErrorMessages?: boolean;
}

/** How much of a masked error is logged: everything; only its id, because the log has the stack already; or nothing. */
export type FailureLog = 'stack' | 'id' | 'none';

/** One masking. */
export interface MaskedSubject {
  readonly subject?: string | undefined;
  /** @default 'stack' */
  readonly detail?: FailureLog;
  /** Why an error that was meant for the client cannot be sent. */
  readonly why?: string;
}

/** An error without the parts that the client must not see, and the id under which the log has the rest. */
export interface MaskedError {
  readonly message: string;
  readonly errorId: string;
}

/**
 * Hides an error, for all callers: it assigns an id, reveals no more than `exposeErrorMessages` allows, and logs the
 * rest once. Never throws.
 */
export function maskError(
  thrown: unknown,
  { log, exposeErrorMessages }: Masking,
  { subject, detail = 'stack', why }: MaskedSubject,
): MaskedError {
  const errorId = randomUUID();
  if (detail !== 'none') {
    const description = detail === 'stack' ? describeThrown(thrown) : undefined;
    report(log, { errorId, subject, why, description, error: thrown });
  }
  const text = exposeErrorMessages === true ? readText(thrown, 'message') : undefined;
  return { message: text === undefined ? 'Internal error' : `Internal error: ${text}`, errorId };
}

/** Logs. A log that fails must not take the answer with it. */
export function report(log: ErrorLog, entry: ErrorLogEntry): void {
  try {
    log(entry);
  } catch {}
}

/** The first line of a log entry. */
export function errorLine({ subject = 'A request', errorId, why }: ErrorLogEntry): string {
  const masked = errorId === undefined ? '' : ` with an internal error, errorId ${errorId}`;
  return `${loggable(subject)} failed${masked}${why === undefined ? '' : `: ${loggable(why, MAX_WHY)}`}`;
}
