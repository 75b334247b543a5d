import { randomUUID } from 'node:crypto';
import { ErrorCode } from '../protocol/error-codes.js';
import type { JsonObject } from '../protocol/json.js';
import type { WireError } from '../protocol/messages.js';
import { errorToHttpStatus } from './error-to-http-status.js';
import { McpError } from './mcp.error.js';

/** What is written down about an error that the client does not get to see. */
export interface ErrorLogEntry {
  /** The id the client was given; absent when the client got the whole error and this is only its cause. */
  readonly errorId?: string;
  /** The JSON-RPC method that was being answered. */
  readonly method?: string;
  /** Stack and causes as text. Safe to print, whatever was thrown. */
  readonly description: string;
  /** What was thrown, as it is. It may be anything, a Proxy that throws included. */
  readonly error: unknown;
}

/** Where the causes of masked errors go. */
export type ErrorLog = (entry: ErrorLogEntry) => void;

/** How thrown values are turned into what the client sees. */
export interface ErrorMapping {
  readonly log: ErrorLog;
  /** For development: sends the message of unexpected errors. */
  readonly exposeErrorMessages?: boolean;
  /** What stands for an error of the application's own; see `McpErrorTranslator`. Must not throw. */
  readonly translate?: (error: unknown) => unknown;
}

/** A JSON-RPC error and the HTTP status it has as a whole response. */
export interface MappedError {
  readonly error: WireError;
  readonly status: number;
}

const MAX_CAUSES = 8;

/**
 * The one way from a thrown value to the wire (JSON-RPC 2.0 §5.1; MCP basic "Error codes"). An `McpError` goes as it is. Anything else is
 * "Internal error" with an `errorId`, under which its cause is logged once; no stack, path or message of it leaves.
 */
export function errorToJsonRpc(raised: unknown, mapping: ErrorMapping, method?: string): MappedError {
  const thrown = mapping.translate ? mapping.translate(raised) : raised;
  const known = mapMcpError(thrown);
  if (known === undefined) return maskError(thrown, mapping, method);
  const cause = readCause(thrown);
  if (cause !== undefined)
    report(mapping.log, { ...(method !== undefined && { method }), description: describeThrown(thrown), error: thrown });
  return known;
}

/** What was thrown, as text for a log: stack and causes. Survives cyclic causes and values whose every property throws. */
export function describeThrown(thrown: unknown): string {
  const seen = new Set<unknown>([thrown]);
  const parts = [describeOne(thrown)];
  for (let cause = readCause(thrown); cause !== undefined && !seen.has(cause) && parts.length <= MAX_CAUSES; cause = readCause(cause)) {
    seen.add(cause);
    parts.push(describeOne(cause));
  }
  return parts.join('\ncaused by: ');
}

function mapMcpError(thrown: unknown): MappedError | undefined {
  try {
    if (!(thrown instanceof McpError)) return undefined;
    const { code, message, data, httpStatus } = thrown;
    if (!Number.isSafeInteger(code) || typeof message !== 'string') return undefined;
    return {
      error: data === undefined ? { code, message } : { code, message, data },
      status: isErrorStatus(httpStatus) ? httpStatus : errorToHttpStatus(code),
    };
  } catch {
    // A getter or a Proxy trap threw: then it is not an error of ours, whatever it claims.
    return undefined;
  }
}

function maskError(thrown: unknown, mapping: ErrorMapping, method: string | undefined): MappedError {
  const errorId = randomUUID();
  const data: JsonObject = { errorId };
  const message = (mapping.exposeErrorMessages === true && readText(thrown, 'message')) || 'Internal error';
  report(mapping.log, { errorId, ...(method !== undefined && { method }), description: describeThrown(thrown), error: thrown });
  return { error: { code: ErrorCode.InternalError, message, data }, status: errorToHttpStatus(ErrorCode.InternalError) };
}

// A log that fails must not take the answer with it.
function report(log: ErrorLog, entry: ErrorLogEntry): void {
  try {
    log(entry);
  } catch {}
}

function describeOne(thrown: unknown): string {
  const text = readText(thrown, 'stack') ?? readText(thrown, 'message');
  if (text !== undefined) return text;
  try {
    return String(thrown);
  } catch {
    return 'a thrown value that cannot be read';
  }
}

function readText(thrown: unknown, key: 'message' | 'stack'): string | undefined {
  const value = readProperty(thrown, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readCause(thrown: unknown): unknown {
  return readProperty(thrown, 'cause');
}

function readProperty(thrown: unknown, key: string): unknown {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  try {
    return (thrown as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function isErrorStatus(status: unknown): status is number {
  return Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599;
}
