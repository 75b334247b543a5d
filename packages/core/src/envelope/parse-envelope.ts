import { McpError } from '../errors/mcp.error.js';
import { ErrorCode, isLogLevel, type LogLevel } from '../protocol/vocabulary.js';
import { isJsonObject } from '../protocol/json.js';
import type { JsonObject, JsonValue } from '../protocol/json.js';
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, LOG_LEVEL_META_KEY, PROTOCOL_VERSION_META_KEY } from '../protocol/official.js';
import type { ClientCapabilities, Implementation } from '../protocol/official.js';
import { isWellFormed } from '../protocol/texts.js';
import { ownMeta, PROGRESS_TOKEN } from './own-meta.js';
import type { RequestEnvelope } from './request-envelope.js';
import { readTraceContext } from './trace-context.js';

/**
 * Reads the envelope out of `params._meta` (MCP basic "_meta"). Capabilities are an open set: unknown ones are kept
 * and ignored.
 * @throws McpError `-32602` with HTTP status 400 and the wrong key in `data.key`
 */
export function parseEnvelope(params: JsonObject | undefined): RequestEnvelope {
  if (params === undefined) throw envelopeFault('params', 'is missing');
  const meta = params._meta;
  if (!isJsonObject(meta)) throw envelopeFault('_meta', meta === undefined ? 'is missing' : 'is not an object');
  return {
    protocolVersion: readProtocolVersion(meta[PROTOCOL_VERSION_META_KEY]),
    clientCapabilities: readCapabilities(meta[CLIENT_CAPABILITIES_META_KEY]),
    clientInfo: readClientInfo(meta[CLIENT_INFO_META_KEY]),
    progressToken: readProgressToken(meta[PROGRESS_TOKEN]),
    logLevel: readLogLevel(meta[LOG_LEVEL_META_KEY]),
    trace: readTraceContext(meta),
    meta: ownMeta(meta),
  };
}

function readProtocolVersion(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  throw envelopeFault(PROTOCOL_VERSION_META_KEY, value === undefined ? 'is missing' : 'is not a string');
}

function readCapabilities(value: JsonValue | undefined): ClientCapabilities {
  if (isJsonObject(value)) return value;
  throw envelopeFault(CLIENT_CAPABILITIES_META_KEY, value === undefined ? 'is missing' : 'is not an object');
}

// Optional, since it decides nothing; but half an implementation is a client's mistake that it should hear of.
function readClientInfo(value: JsonValue | undefined): Implementation | undefined {
  if (value === undefined) return undefined;
  if (isJsonObject(value) && typeof value.name === 'string' && typeof value.version === 'string') return value as unknown as Implementation;
  throw envelopeFault(CLIENT_INFO_META_KEY, 'needs a string "name" and a string "version"');
}

// A fraction would come back in notifications that are none, and an integer beyond a double's would come back as another.
function readProgressToken(value: JsonValue | undefined): string | number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && isWellFormed(value)) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw envelopeFault(PROGRESS_TOKEN, 'is neither a string nor an integer');
}

function readLogLevel(value: JsonValue | undefined): LogLevel | undefined {
  if (value === undefined) return undefined;
  if (isLogLevel(value)) return value;
  throw envelopeFault(LOG_LEVEL_META_KEY, 'is not a log level');
}

function envelopeFault(key: string, problem: string): McpError {
  return new McpError(ErrorCode.InvalidParams, `Invalid request envelope: "${key}" ${problem}`, { data: { key }, httpStatus: 400 });
}
