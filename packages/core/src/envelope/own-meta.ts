import type { JsonObject } from '../protocol/json.js';
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, LOG_LEVEL_META_KEY, PROTOCOL_VERSION_META_KEY } from '../protocol/official.js';

/** The key of the token with which a request asks for its progress (MCP basic/utilities/progress). */
export const PROGRESS_TOKEN = 'progressToken';

const CONSUMED: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROGRESS_TOKEN,
]);

/** `_meta` of a request without what the envelope has read from it, frozen at every depth; undefined when nothing is left. */
export function ownMeta(meta: JsonObject): JsonObject | undefined {
  const own = Object.entries(meta).filter(([key]) => !CONSUMED.has(key));
  return own.length === 0 ? undefined : frozen(structuredClone(Object.fromEntries(own)));
}

// The depth of a message is bounded before it is parsed.
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
