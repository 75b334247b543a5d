import { whenReady, type MaybePromise } from '../protocol/maybe-promise.js';
import { toJsonValue } from '../protocol/to-json-value.js';
import type { CallToolResult } from '../protocol/messages.js';
import type { CompiledSchema } from '../schema/compiled-schema.js';
import { text } from './content-builders.js';
import { isCallToolResult, mapToolResult } from './map-tool-result.js';

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
    return whenReady(conforming(value, tool), (structuredContent) => ({
      resultType: 'complete',
      content: [text(JSON.stringify(structuredContent))],
      structuredContent,
    }));
  }
  const result = mapToolResult(value, tool.name);
  if (result.isError) return result;
  return whenReady(conforming(result.structuredContent, tool), (structuredContent) => ({ ...result, structuredContent }));
}

/** Returns the schema's output rather than the value: fields that a DTO excludes must not be sent. */
function conforming(value: unknown, { name, outputSchema }: StructuredTool): MaybePromise<unknown> {
  return whenReady(outputSchema.parse(value), (checked) => {
    if (checked.ok) return toJsonValue(checked.value, `the result of ${name}`);
    const issues = checked.issues.map(({ path, message }) => `${path || 'the value'}: ${message}`).join('; ');
    throw new Error(`The result of ${name} does not conform to its outputSchema: ${issues}`);
  });
}
