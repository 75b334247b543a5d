import { isJsonObject, type JsonObject } from '../../protocol/json.js';
import type { McpResult } from '../../protocol/messages.js';
import { SERVER_INFO_META_KEY } from '../../protocol/official.js';
import type { LegacyTool } from './legacy-parts.js';

type Find = (name: string) => LegacyTool | undefined;

/** A result as the 2025 revisions have it: without what came with 2026-07-28, and with `structuredContent` that is an object. */
export function toLegacyResult(
  result: McpResult,
  { method, params, tool }: { method: string; params: JsonObject; tool: Find },
): JsonObject {
  const { resultType: _kind, ttlMs: _ttl, cacheScope: _scope, _meta, ...rest } = result;
  const plain = { ...rest, ...ownMeta(_meta) };
  if (method === 'tools/list') return withoutUncallable(plain, tool);
  return method === 'tools/call' ? withObjectContent(plain, typeof params.name === 'string' ? tool(params.name) : undefined) : plain;
}

/** The `isError` result that says in the model's words why a tool does not run for this client (MCP server/tools "Error handling"). */
export function toLegacyToolError(message: string, protocolVersion: string): JsonObject {
  const text = `${message}. That is not possible with a client of protocol revision ${protocolVersion}; it is with one of 2026-07-28.`;
  return { content: [{ type: 'text', text }], isError: true };
}

function ownMeta(meta: unknown): { _meta?: JsonObject } {
  if (!isJsonObject(meta)) return {};
  const { [SERVER_INFO_META_KEY]: _server, ...own } = meta;
  return Object.keys(own).length === 0 ? {} : { _meta: own };
}

// What is listed can be called.
function withoutUncallable(result: JsonObject, tool: Find): JsonObject {
  const tools = result.tools as unknown as readonly { readonly name: string }[];
  return { ...result, tools: tools.filter(({ name }) => tool(name)?.requiredExtension === undefined) };
}

// The official server wraps an advertised schema whose root is no object in the same way.
function withObjectContent(result: JsonObject, tool: LegacyTool | undefined): JsonObject {
  const { structuredContent } = result;
  if (structuredContent === undefined) return result;
  const schema = tool?.outputSchema;
  const isPlain = isJsonObject(structuredContent) && (schema === undefined || schema.type === 'object');
  return isPlain ? result : { ...result, structuredContent: { result: structuredContent } };
}
