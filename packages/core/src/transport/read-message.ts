import { isUtf8 } from 'node:buffer';
import { ErrorCode } from '../protocol/error-codes.js';
import { isJsonObject } from '../protocol/json.js';
import type { JsonObject, JsonValue } from '../protocol/json.js';
import type { NotificationMessage, RequestId, RequestMessage, ResponseMessage } from '../protocol/messages.js';
import { isWellFormed } from '../protocol/well-formed.js';
import { holdsForbiddenKey, mayHoldForbiddenKey } from './forbidden-keys.js';
import { holdsInfinity, mayHoldHugeNumber } from './finite-numbers.js';
import { nestsDeeperThan } from './json-depth.js';

/** What the bytes of one message turned out to be. */
export type IncomingMessage =
  | { readonly kind: 'request'; readonly message: RequestMessage }
  | { readonly kind: 'notification'; readonly message: NotificationMessage }
  | { readonly kind: 'refused'; readonly response: ResponseMessage };

/**
 * Reads one JSON-RPC message (JSON-RPC 2.0; MCP basic "Messages"): strict UTF-8, bounded nesting, JSON of finite numbers, then the shape of a
 * request or a notification. What is refused comes with its response: `-32700` for what is not JSON, `-32600` for what is not a message. That echoes
 * the id where one can be read and has none otherwise; it is never null.
 */
export function readMessage(bytes: Uint8Array, maxJsonDepth: number): IncomingMessage {
  if (!isUtf8(bytes)) return refuse(ErrorCode.ParseError, 'Parse error: the message is not UTF-8');
  if (nestsDeeperThan(bytes, maxJsonDepth)) return refuse(ErrorCode.InvalidRequest, 'Invalid request: the message nests too deeply');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return refuse(ErrorCode.ParseError, 'Parse error: the message is not JSON');
  }
  if (!isJsonObject(value)) {
    return refuse(ErrorCode.InvalidRequest, `Invalid request: ${Array.isArray(value) ? 'batches are not served' : 'not an object'}`);
  }
  if (mayHoldForbiddenKey(text) && holdsForbiddenKey(value)) return refuseShape(value, 'a key is forbidden');
  if (mayHoldHugeNumber(text) && holdsInfinity(value)) return refuseShape(value, 'a number is too large');
  return checkShape(value);
}

function checkShape(value: JsonObject): IncomingMessage {
  if (value.jsonrpc !== '2.0') return refuseShape(value, 'jsonrpc must be "2.0"');
  if (value.result !== undefined || value.error !== undefined) return refuseShape(value, 'responses are not taken');
  if (typeof value.method !== 'string') return refuseShape(value, 'method must be a string');
  if (!isWellFormed(value.method)) return refuseShape(value, 'method is not well-formed');
  if (value.params !== undefined && !isJsonObject(value.params)) return refuseShape(value, 'params must be an object');
  if (value.id === undefined) return { kind: 'notification', message: value as unknown as NotificationMessage };
  if (!isRequestId(value.id)) return refuseShape(value, 'id must be a string or an integer');
  return { kind: 'request', message: value as unknown as RequestMessage };
}

// An integer that a double cannot hold would be answered under another id than it came with.
function isRequestId(id: JsonValue | undefined): id is RequestId {
  return typeof id === 'string' ? isWellFormed(id) : Number.isSafeInteger(id);
}

function refuseShape({ id }: JsonObject, problem: string): IncomingMessage {
  return refuse(ErrorCode.InvalidRequest, `Invalid request: ${problem}`, isRequestId(id) ? id : undefined);
}

function refuse(code: number, message: string, id?: RequestId): IncomingMessage {
  const error = { code, message };
  return { kind: 'refused', response: id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error } };
}
