import type { InputRequest } from '../protocol/messages.js';
import { defined, isJsonObject, type JsonObject, type JsonValue } from '../protocol/json.js';

/**
 * The answer to a sampling request (MCP client/sampling "Response"), or undefined when it does not conform: who speaks, one block of content
 * or several, and the model that made it. A model calls tools only where the request offered some; the result of a tool is never its word.
 */
export function acceptSample(request: InputRequest | undefined, raw: unknown): JsonValue | undefined {
  if (!isJsonObject(raw)) return undefined;
  const { role, content, model, stopReason, _meta } = raw;
  if ((role !== 'assistant' && role !== 'user') || typeof model !== 'string') return undefined;
  if (stopReason !== undefined && typeof stopReason !== 'string') return undefined;
  const blocks = Array.isArray(content) ? content : [content];
  const offersTools = Array.isArray(request?.params?.tools);
  if (blocks.length === 0 || !blocks.every((block) => isSaid(block) || (offersTools && isToolUse(block)))) return undefined;
  return {
    role,
    content: content!,
    model,
    ...defined({ stopReason, _meta: isJsonObject(_meta) ? _meta : undefined }),
  };
}

function isSaid(block: JsonValue | undefined): boolean {
  if (!isJsonObject(block)) return false;
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string';
    case 'image':
    case 'audio':
      return typeof block.data === 'string' && typeof block.mimeType === 'string';
    default:
      return false;
  }
}

function isToolUse(block: JsonValue | undefined): block is JsonObject {
  return (
    isJsonObject(block) &&
    block.type === 'tool_use' &&
    typeof block.id === 'string' &&
    typeof block.name === 'string' &&
    isJsonObject(block.input)
  );
}
