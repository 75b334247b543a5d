import type { CallToolResult } from '../protocol/messages.js';
import { toJsonValue } from '../protocol/to-json-value.js';
import { toolResultShape } from '../protocol/shapes/results.js';
import { conforming } from './conforming.js';
import { text } from './content-builders.js';
import { hasOnly, isContentBlock } from './content.js';

const BUILT = Symbol.for('@mocapi/core:CallToolResult');

/** The members of a tool's result. */
const MEMBERS = new Set(['resultType', 'content', 'structuredContent', 'isError', '_meta']);

/**
 * The wire form of a tool's return value (MCP server/tools "Tool result"): nothing is empty content; a string one text block; a content
 * block, or an array of them, the content; a tool result itself; any other JSON value `structuredContent`, mirrored as text.
 * @throws NotJsonError naming the path of what JSON cannot hold; NonconformingResultError when the protocol does not allow the blocks or the result
 */
export function mapToolResult(value: unknown, toolName: string): CallToolResult {
  if (value === undefined || value === null) return complete({ content: [] });
  if (typeof value === 'string') return { content: [text(value)], resultType: 'complete' };
  const isResult = isCallToolResult(value);
  const json = toJsonValue(value, `the result of ${toolName}`);
  const result = isResult ? (json as Record<string, unknown>) : contentOf(json);
  if (result === undefined) return complete({ content: [text(JSON.stringify(json))], structuredContent: json });
  return conforming(complete(result as Pick<CallToolResult, 'content'>), toolResultShape, toolName);
}

function contentOf(json: unknown): Record<string, unknown> | undefined {
  if (isContentBlock(json)) return { content: [json] };
  return Array.isArray(json) && json.length > 0 && json.every(isContentBlock) ? { content: json } : undefined;
}

/** Builds a result of a tool that has more to say than one value. */
export function toolResult(
  parts: Omit<CallToolResult, 'resultType' | 'content'> & Partial<Pick<CallToolResult, 'content'>>,
): CallToolResult {
  const result = complete({ content: [], ...parts });
  Object.defineProperty(result, BUILT, { value: true });
  return result;
}

/**
 * Whether `value` is meant as a tool's result: our builder made it, or it has `content` with nothing but blocks of the revision, and no member that a
 * result does not have. A page such as `{ content: [], total: 0 }` is data.
 */
export function isCallToolResult(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (BUILT in value) return true;
  const { content } = value as { content?: unknown };
  return Array.isArray(content) && content.every(isContentBlock) && hasOnly(value, MEMBERS);
}

function complete(parts: Omit<CallToolResult, 'resultType'>): CallToolResult {
  return { ...parts, resultType: 'complete' } as CallToolResult;
}
