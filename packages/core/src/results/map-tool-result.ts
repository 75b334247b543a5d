import type { CallToolResult } from '../protocol/tool-result.js';
import { toJsonValue } from '../protocol/to-json-value.js';
import { text } from './content-builders.js';
import { isContentBlock } from './content.js';

const BUILT = Symbol.for('@mocapi/core:CallToolResult');

/**
 * What a tool's return value is on the wire (MCP server/tools "Tool result"): nothing is empty content; a string one text block; a content
 * block, or an array of them, the content; a `CallToolResult` itself; any other JSON value `structuredContent`, mirrored as text.
 * @throws NotJsonError naming the path of what JSON cannot hold
 */
export function mapToolResult(value: unknown, toolName: string): CallToolResult {
  if (value === undefined || value === null) return complete({ content: [] });
  if (typeof value === 'string') return complete({ content: [text(value)] });
  const json = toJsonValue(value, `the result of ${toolName}`);
  if (isCallToolResult(value)) return passedThrough(json as Record<string, unknown>);
  if (isContentBlock(json)) return complete({ content: [json] });
  if (Array.isArray(json) && json.length > 0 && json.every(isContentBlock)) return complete({ content: json });
  return complete({ content: [text(JSON.stringify(json))], structuredContent: json });
}

/** Builds a result of a tool that has more to say than one value. */
export function toolResult(
  parts: Omit<CallToolResult, 'resultType' | 'content'> & Partial<Pick<CallToolResult, 'content'>>,
): CallToolResult {
  const result = complete({ content: [], ...parts });
  Object.defineProperty(result, BUILT, { value: true });
  return result;
}

/** Taken for a result only if its content is an array of known blocks, or our builder made it: a domain object may have a `content` too. */
export function isCallToolResult(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (BUILT in value) return true;
  const { content } = value as { content?: unknown };
  return Array.isArray(content) && content.every(isContentBlock);
}

function passedThrough(json: Record<string, unknown>): CallToolResult {
  return { ...json, resultType: 'complete' } as CallToolResult;
}

function complete(parts: Omit<CallToolResult, 'resultType'>): CallToolResult {
  return { ...parts, resultType: 'complete' } as CallToolResult;
}
