import { ErrorCode } from '../protocol/vocabulary.js';
import { isJsonObject, type JsonValue } from '../protocol/json.js';
import type { WireError } from '../protocol/messages.js';
import { toJsonValue } from '../protocol/to-json-value.js';
import type { McpError } from './mcp.error.js';

/** An error in the form in which it is sent, or the reason why it cannot be sent. */
export type NormalError =
  | {
      readonly error: WireError;
      /** Why its data was left out, for the log. */
      readonly leftOut?: string;
    }
  | {
      /** For the log. */
      readonly fault: string;
    };

/**
 * The one form of an `McpError` on the wire, for every carrier: an integer code that its raiser may use, a text, and
 * data that is JSON (a `Date` becomes its text). Data that JSON cannot hold is left out. -32021 and -32022 need the
 * data that the revision defines for them.
 */
export function normalError({ code, message, data }: Pick<McpError, 'code' | 'message' | 'data'>, vocabulary: Vocabulary): NormalError {
  if (!Number.isSafeInteger(code)) return { fault: `its code must be an integer, not ${String(code)}` };
  if (typeof message !== 'string') return { fault: 'its message must be a string' };
  if (!mayRaise(vocabulary, code))
    return { fault: `the code ${code} is reserved for the protocol; use a code outside of -32768 to -32000` };
  const { value, leftOut } = jsonData(data);
  const missing = missingData(code, value);
  if (missing !== undefined) return { fault: `an error with the code ${code} needs ${missing}` };
  return { error: value === undefined ? { code, message } : { code, message, data: value }, leftOut };
}

/** The wire form of an error from code that speaks the protocol. Without a valid form it is "Internal error". */
export function wireErrorOf(error: Pick<McpError, 'code' | 'message' | 'data'>): WireError {
  const normal = normalError(error, 'protocol');
  return 'fault' in normal ? { code: ErrorCode.InternalError, message: 'Internal error' } : normal.error;
}

function jsonData(data: unknown): { value?: JsonValue; leftOut?: string } {
  try {
    const value = toJsonValue(data, 'data');
    return value === undefined ? {} : { value };
  } catch (error) {
    return { leftOut: error instanceof Error ? error.message : 'its data cannot be read' };
  }
}

/** The members of data without which a code must not go out (MCP basic "Error codes"). */
function missingData(code: number, data: JsonValue | undefined): string | undefined {
  const { requiredCapabilities, supported, requested } = isJsonObject(data) ? data : {};
  if (code === ErrorCode.MissingRequiredClientCapability && !isJsonObject(requiredCapabilities))
    return 'data.requiredCapabilities, an object: use missingCapability()';
  if (code !== ErrorCode.UnsupportedProtocolVersion) return undefined;
  const isListed = Array.isArray(supported) && supported.every((version) => typeof version === 'string');
  return isListed && typeof requested === 'string' ? undefined : 'data.supported and data.requested';
}

/** Who raised an error: the method of a handler and what stands around it, or code that speaks the protocol itself, such as an extension's method. */
type Vocabulary = 'handler' | 'protocol';

/** JSON-RPC's reserved range (JSON-RPC 2.0 §5.1). Codes of an application lie outside of it. */
const FIRST_RESERVED = -32768;
const LAST_RESERVED = -32000;

const { Forbidden: _forbidden, ...reserved } = ErrorCode;

/** The reserved codes that each may send. The others of the range belong to the framework, or to nobody (MCP basic "Error codes"). */
const OPEN: Record<Vocabulary, ReadonlySet<number>> = {
  handler: new Set([ErrorCode.InvalidParams, ErrorCode.InternalError, ErrorCode.MissingRequiredClientCapability]),
  protocol: new Set(Object.values(reserved)),
};

/** Whether `code` lies in the range that JSON-RPC reserves: -32768 to -32000. */
export function isReserved(code: number): boolean {
  return code >= FIRST_RESERVED && code <= LAST_RESERVED;
}

/** Whether code that speaks `vocabulary` may send `code`. */
function mayRaise(vocabulary: Vocabulary, code: number): boolean {
  return !isReserved(code) || OPEN[vocabulary].has(code);
}
