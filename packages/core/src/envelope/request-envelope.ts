import { type TraceContext, readTraceContext } from './trace-context.js';
import { type JsonObject, isJsonObject, type JsonValue } from '../protocol/json.js';
import { type LogLevel, ErrorCode, isLogLevel } from '../protocol/vocabulary.js';
import {
  type ClientCapabilities,
  type Implementation,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '../protocol/official.js';
import { McpError } from '../errors/mcp.error.js';

/** The content of `params._meta` of a request (MCP basic "_meta"). It is read from each request: nothing is remembered. */
export interface RequestEnvelope {
  readonly protocolVersion: string;
  readonly clientCapabilities: ClientCapabilities;
  /** Unverified; never decides anything. */
  readonly clientInfo?: Implementation;
  readonly progressToken?: string | number;
  /** Log messages at or above this level may be sent on this request's stream; without a level none may. */
  readonly logLevel?: LogLevel;
  readonly trace?: TraceContext;
  /** Further keys of `_meta`: the client's own, and those of extensions; frozen. Unverified, like everything that a client sends. */
  readonly meta?: JsonObject;
}

/**
 * Reads the envelope out of `params._meta` (MCP basic "_meta"). Capabilities are an open set: unknown ones are kept
 * and ignored.
 * @throws McpError `-32602` with HTTP status 400 and the wrong key in `data.key`
 */
export function parseEnvelope(params: JsonObject | undefined): RequestEnvelope {
  if (params === undefined) throw envelopeFault('params', 'is missing');
  const meta = params._meta;
  if (!isJsonObject(meta)) throw envelopeFault('_meta', meta === undefined ? 'is missing' : 'is not an object');
  const protocolVersion = meta[PROTOCOL_VERSION_META_KEY];
  const clientCapabilities = meta[CLIENT_CAPABILITIES_META_KEY];
  const clientInfo = meta[CLIENT_INFO_META_KEY];
  const progressToken = meta[PROGRESS_TOKEN];
  const logLevel = meta[LOG_LEVEL_META_KEY];
  if (typeof protocolVersion !== 'string')
    throw envelopeFault(PROTOCOL_VERSION_META_KEY, protocolVersion === undefined ? 'is missing' : 'is not a string');
  if (!isJsonObject(clientCapabilities))
    throw envelopeFault(CLIENT_CAPABILITIES_META_KEY, clientCapabilities === undefined ? 'is missing' : 'is not an object');
  // Optional, since it decides nothing; but half an implementation is a client's mistake that it should hear of.
  if (clientInfo !== undefined && !isImplementation(clientInfo))
    throw envelopeFault(CLIENT_INFO_META_KEY, 'needs a string "name" and a string "version"');
  if (progressToken !== undefined && !isProgressToken(progressToken))
    throw envelopeFault(PROGRESS_TOKEN, 'is neither a string nor an integer');
  if (logLevel !== undefined && !isLogLevel(logLevel)) throw envelopeFault(LOG_LEVEL_META_KEY, 'is not a log level');
  const own = ownMeta(meta);
  // Its keys are none of those above.
  const trace = own && readTraceContext(own);
  return { protocolVersion, clientCapabilities, clientInfo, progressToken, logLevel, trace, meta: own };
}

function isImplementation(value: unknown): value is Implementation {
  return isJsonObject(value) && typeof value.name === 'string' && typeof value.version === 'string';
}

// A fraction would come back in notifications that are none, and an integer beyond a double's would come back as another.
function isProgressToken(value: JsonValue): value is string | number {
  return typeof value === 'string' ? value.isWellFormed() : Number.isSafeInteger(value);
}

function envelopeFault(key: string, problem: string): McpError {
  return new McpError(ErrorCode.InvalidParams, `Invalid request envelope: "${key}" ${problem}`, { data: { key }, httpStatus: 400 });
}

/** The key of the token with which a request asks for its progress (MCP basic/utilities/progress). */
const PROGRESS_TOKEN = 'progressToken';

const CONSUMED: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROGRESS_TOKEN,
]);

/** `_meta` of a request without what the envelope has read from it, frozen at every depth; undefined when nothing is left. */
export function ownMeta(meta: JsonObject): JsonObject | undefined {
  for (const key of Object.keys(meta)) if (!CONSUMED.has(key)) return frozen(structuredClone(withoutConsumed(meta)));
  return undefined;
}

function withoutConsumed(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !CONSUMED.has(key)));
}

// The depth of a message is bounded before it is parsed.
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
