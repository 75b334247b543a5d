import { declareHandler } from './declare-handler.js';
import type { McpResourceOptions } from './handler-metadata.js';

/** Makes a method of a provider or controller a resource (MCP server/resources): what it returns, text, bytes, JSON or a `ReadResourceResult`, is what `resources/read` answers. Nest's enhancers apply as to a tool. */
export function McpResource(options: McpResourceOptions = {} as McpResourceOptions): MethodDecorator {
  return declareHandler({ kind: 'resource', decorator: '@McpResource', options });
}
