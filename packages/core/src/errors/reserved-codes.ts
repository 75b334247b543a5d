import { ErrorCode } from '../protocol/error-codes.js';

/** Who raised an error: the method of a handler and what stands around it, or code that speaks the protocol itself, such as an extension's method. */
export type Vocabulary = 'handler' | 'protocol';

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
export function mayRaise(vocabulary: Vocabulary, code: number): boolean {
  return !isReserved(code) || OPEN[vocabulary].has(code);
}
