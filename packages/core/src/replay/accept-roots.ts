import { isAbsoluteUri } from '../protocol/texts.js';
import { defined, isJsonObject, type JsonObject, type JsonValue } from '../protocol/json.js';

/** The answer to a request for roots, or undefined when it does not conform: a list, maybe empty, of `file://` URIs (MCP client/roots "Data types"). */
export function acceptRoots(raw: unknown): JsonValue | undefined {
  if (!isJsonObject(raw) || !Array.isArray(raw.roots)) return undefined;
  const roots = raw.roots.map(acceptRoot);
  const sound = roots.filter((root) => root !== undefined);
  return sound.length < roots.length ? undefined : { roots: sound };
}

function acceptRoot(root: JsonValue): JsonObject | undefined {
  if (!isJsonObject(root)) return undefined;
  const { uri, name, _meta } = root;
  if (typeof uri !== 'string' || !/^file:\/\//i.test(uri) || !isAbsoluteUri(uri) || !URL.canParse(uri)) return undefined;
  if (name !== undefined && typeof name !== 'string') return undefined;
  return { uri, ...defined({ name, _meta: isJsonObject(_meta) ? _meta : undefined }) };
}
