import { declareHandler } from './declare-handler.js';
import type { McpToolOptions } from './handler-metadata.js';

/**
 * Makes a method of a provider or controller an MCP tool (MCP server/tools). Guards, interceptors, pipes, filters and request-scoped
 * providers apply to it as to any Nest handler, with the context type `'mcp'`. Composes with `applyDecorators`, in any order.
 */
export function McpTool(options: McpToolOptions = {}): MethodDecorator {
  return declareHandler({ kind: 'tool', decorator: '@McpTool', options });
}
