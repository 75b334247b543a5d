import type { DispatchContext, DispatchTarget } from '../dispatch/dispatch-context.js';
import type { ToolDefinition } from '../discovery/tool-definition.js';
import type { ToolRegistry } from '../discovery/tool-registry.js';
import { invalidParams } from '../errors/mcp.error.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';

/** What a `tools/call` is about. */
export interface ToolCallTarget extends DispatchTarget {
  readonly kind: 'tool';
  readonly tool: ToolDefinition;
  readonly arguments: JsonObject;
}

/** The tool call that a request is, or undefined when it is something else; for dispatch interceptors. */
export function toolCallOf(context: DispatchContext): ToolCallTarget | undefined {
  return context.target?.kind === 'tool' ? (context.target as ToolCallTarget) : undefined;
}

/** Reads the params of `tools/call` (MCP server/tools "Calling tools"). @throws McpError -32602 */
export function resolveToolCall({ params }: DispatchContext, registry: ToolRegistry): ToolCallTarget {
  if (typeof params.name !== 'string') throw invalidParams('params.name must be the name of a tool');
  const tool = registry.get(params.name);
  if (!tool) throw invalidParams(`Unknown tool: ${params.name.slice(0, 128)}`);
  const args = params.arguments ?? {};
  if (params.arguments === null || !isJsonObject(args)) throw invalidParams('params.arguments must be an object');
  return { kind: 'tool', name: tool.name, tool, arguments: args };
}
