import type { CallToolResult } from '../protocol/messages.js';
import { toJsonValue } from '../protocol/to-json-value.js';
import { toolResultShape } from '../protocol/shapes/results.js';
import { conforming, hasOnly, isContentBlock } from './content.js';
import { text } from './content-builders.js';
import { whenReady, type MaybePromise } from '../protocol/maybe-promise.js';
import type { CompiledSchema } from '../schema/compiled-schema.js';

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
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }], resultType: 'complete' };
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

/** A tool that advertises what its results look like. */
export interface StructuredTool {
  readonly name: string;
  readonly outputSchema: CompiledSchema;
}

/**
 * The result of a tool with an output schema (MCP server/tools "Output schema"): whatever it returned is `structuredContent`, in the form the
 * schema gives it, mirrored as text. A `CallToolResult` keeps its content, and one with `isError` is exempt.
 * @throws NotJsonError; Error naming the tool and what does not conform, whose text is for the log
 */
export function mapStructuredResult(value: unknown, tool: StructuredTool): MaybePromise<CallToolResult> {
  if (!isCallToolResult(value)) {
    return whenReady(structured(value, tool), (structuredContent) => ({
      resultType: 'complete',
      content: [text(JSON.stringify(structuredContent))],
      structuredContent,
    }));
  }
  const result = mapToolResult(value, tool.name);
  if (result.isError) return result;
  return whenReady(structured(result.structuredContent, tool), (structuredContent) => ({ ...result, structuredContent }));
}

/** Returns the schema's output rather than the value: fields that a DTO excludes must not be sent. */
function structured(value: unknown, { name, outputSchema }: StructuredTool): MaybePromise<unknown> {
  return whenReady(outputSchema.parse(value), (checked) => {
    if (checked.ok) return toJsonValue(checked.value, `the result of ${name}`);
    const issues = checked.issues.map(({ path, message }) => `${path || 'the value'}: ${message}`).join('; ');
    throw new Error(`The result of ${name} does not conform to its outputSchema: ${issues}`);
  });
}
