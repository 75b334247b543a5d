import type { DispatchContext, DispatchTarget } from '../dispatch/dispatch-context.js';
import type { ToolDefinition } from '../discovery/handler-definition.js';
import { invalidParams } from '../errors/mcp.error.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';

/** The subject of a `tools/call`. */
export interface ToolCallTarget extends DispatchTarget {
  readonly kind: 'tool';
  readonly tool: ToolDefinition;
  readonly arguments: JsonObject;
}

/** The tool call that a request is, or undefined when it is something else; for dispatch interceptors. */
export function toolCallOf(context: DispatchContext): ToolCallTarget | undefined {
  return context.target?.kind === 'tool' ? (context.target as ToolCallTarget) : undefined;
}

/** Reads the params of a `tools/call` of this tool (MCP server/tools "Calling tools"). @throws McpError -32602 */
export function readToolCall(params: JsonObject, tool: ToolDefinition): ToolCallTarget {
  const args = params.arguments ?? {};
  if (params.arguments === null || !isJsonObject(args)) throw invalidParams('params.arguments must be an object');
  return { kind: 'tool', name: tool.name, tool, handler: tool, arguments: args };
}
