import type { CallToolResult } from '../protocol/tool-result.js';
import type { CompiledSchema } from '../schema/compiled-schema.js';

/** A tool whose results may be checked. */
export interface OutputChecked {
  readonly name: string;
  readonly outputSchema?: CompiledSchema;
}

/**
 * Holds a tool to the output schema it advertises (MCP server/tools "Output schema"); `isError` results are exempt.
 * @throws Error naming the tool and what does not conform; its text is for the log
 */
export async function checkOutput(result: CallToolResult, tool: OutputChecked): Promise<void> {
  if (!tool.outputSchema || result.isError) return;
  const checked = await tool.outputSchema.parse(result.structuredContent);
  if (checked.ok) return;
  const issues = checked.issues.map(({ path, message }) => `${path || 'the value'}: ${message}`).join('; ');
  throw new Error(`The result of ${tool.name} does not conform to its outputSchema: ${issues}`);
}
