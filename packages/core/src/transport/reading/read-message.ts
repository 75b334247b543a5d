import { isAscii, isUtf8 } from 'node:buffer';
import { ErrorCode } from '../../protocol/vocabulary.js';
import { defined, isJsonObject, isRequestId, type JsonBounds, type JsonObject, type JsonValue } from '../../protocol/json.js';
import {
  errorResponse,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
} from '../../protocol/messages.js';
import { PROTOCOL_VERSION_META_KEY } from '../../protocol/official.js';
import { contentProblem, shapeProblem } from './json-content.js';
import { findMessageId } from './message-id.js';

/** The message that some bytes turned out to be. */
export type IncomingMessage =
  | { readonly kind: 'request'; readonly message: RequestMessage }
  | { readonly kind: 'notification'; readonly message: NotificationMessage }
  | Refused;

/** The JSON of one message, before its shape is checked. */
export type IncomingJson = { readonly kind: 'json'; readonly value: JsonValue } | Refused;

/** Not a message; the answer to it. */
interface Refused {
  readonly kind: 'refused';
  readonly response: ResponseMessage;
}

/**
 * Reads one JSON-RPC message (JSON-RPC 2.0; MCP basic "Messages"): strict UTF-8, bounded nesting, a bounded number of
 * objects and arrays, JSON of finite numbers, then the shape of a request or a notification. A rejected message comes
 * with its response: `-32700` for bytes that are not JSON, `-32600` for JSON that is not a message. The response
 * echoes the id if one can be read and has none otherwise; it is never null.
 */
export function readMessage(bytes: Buffer, bounds: JsonBounds): IncomingMessage {
  const read = readJson(bytes, bounds);
  return read.kind === 'json' ? toMessage(read.value) : read;
}

/** The first half of `readMessage`, for transports that must tell the revision of a message from its JSON. */
export function readJson(bytes: Buffer, bounds: JsonBounds): IncomingJson {
  // Decoding ASCII is copying it, which takes half the time of UTF-8, and much less from 1 MB on.
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8';
  if (encoding === 'utf8' && !isUtf8(bytes)) return refuse(ErrorCode.ParseError, 'Parse error: the message is not UTF-8');
  const shape = shapeProblem(bytes, bounds);
  if (shape !== undefined) return refuse(ErrorCode.InvalidRequest, `Invalid request: the message ${shape}`, findMessageId(bytes));
  // A byte order mark is no JSON, and says nothing: some clients on Windows begin with one (RFC 8259 §8.1 lets a parser ignore it).
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = bytes.toString(encoding, start);
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(ErrorCode.ParseError, 'Parse error: the message is not JSON');
  }
  const problem = contentProblem(text, value);
  if (problem !== undefined) return refuseShape(isJsonObject(value) ? value : {}, problem);
  if (text.includes('null')) {
    if (Array.isArray(value)) value.forEach(dropNullMembers);
    else dropNullMembers(value);
  }
  return { kind: 'json', value };
}

/**
 * Whether a message names the revision that it speaks in an envelope, as nearly every request does. Only `initialize` never counts: half
 * an envelope does not make it a modern one.
 */
export function claimsEnvelope(body: JsonValue): boolean {
  if (!isJsonObject(body) || body.method === 'initialize' || typeof body.method !== 'string') return false;
  const { params } = body;
  return isJsonObject(params) && isJsonObject(params._meta) && params._meta[PROTOCOL_VERSION_META_KEY] !== undefined;
}

/** The second half of `readMessage`: a request or a notification of the revision that this server speaks itself. */
export function toMessage(value: JsonValue): IncomingMessage {
  if (!isJsonObject(value)) {
    return refuse(ErrorCode.InvalidRequest, `Invalid request: ${Array.isArray(value) ? 'batches are not served' : 'not an object'}`);
  }
  if (value.jsonrpc !== '2.0') return refuseShape(value, 'jsonrpc must be "2.0"');
  if (value.result !== undefined || value.error !== undefined) return refuseResponse(value);
  if (typeof value.method !== 'string') return refuseShape(value, 'method must be a string');
  if (!value.method.isWellFormed()) return refuseShape(value, 'method is not well-formed');
  if (value.params !== undefined && !isJsonObject(value.params)) return refuseShape(value, 'params must be an object');
  const { jsonrpc, id, method, params } = value;
  if (id === undefined) return { kind: 'notification', message: params === undefined ? { jsonrpc, method } : { jsonrpc, method, params } };
  if (!isRequestId(id)) return refuseShape(value, 'id must be a string or an integer');
  return { kind: 'request', message: params === undefined ? { jsonrpc, id, method } : { jsonrpc, id, method, params } };
}

/**
 * The members of a message that mean something. Guards see it as the body of the request, where a login strategy would look for a token that no
 * client may send there (MCP basic/authorization "Token requirements").
 */
export function withoutExtras({ jsonrpc, id, method, params }: JsonObject): JsonObject {
  return defined({ jsonrpc, id, method, params });
}

// The id of a response is one of the other side's: a client could take the refusal for the answer to a request of its own.
function refuseResponse(value: JsonObject): IncomingMessage {
  return refuseShape(value.method === undefined ? {} : value, 'responses are not accepted');
}

function refuseShape({ id }: JsonObject, problem: string): Refused {
  return refuse(ErrorCode.InvalidRequest, `Invalid request: ${problem}`, isRequestId(id) ? id : undefined);
}

function refuse(code: number, message: string, id?: RequestId): Refused {
  return { kind: 'refused', response: errorResponse(id, { code, message }) };
}

/** Optional members of `params` for which `null` has no meaning. */
const OPTIONAL = ['_meta', 'cursor', 'arguments', 'context', 'inputResponses', 'requestState'] as const;

/**
 * Removes the `null`s that some clients write instead of leaving out an optional member: `params`, its optional
 * members, and everything in `_meta`. The message has just been parsed and is changed in place. Arguments are not
 * changed: a `null` there belongs to the application.
 */
function dropNullMembers(message: JsonValue): void {
  if (!isJsonObject(message) || message.params === undefined) return;
  const { params } = message;
  if (params === null) delete message.params;
  if (!isJsonObject(params)) return;
  for (const name of OPTIONAL) if (params[name] === null) delete params[name];
  const { _meta, context } = params;
  if (isJsonObject(_meta)) for (const name of Object.keys(_meta)) if (_meta[name] === null) delete _meta[name];
  if (isJsonObject(context) && context.arguments === null) delete context.arguments;
}
