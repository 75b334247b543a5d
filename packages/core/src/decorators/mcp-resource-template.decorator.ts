import { declareHandler } from './declare-handler.js';
import type { McpResourceTemplateOptions } from './handler-metadata.js';

/**
 * Makes a method of a provider or controller a resource template (MCP server/resources "Resource templates"): it reads
 * every URI that matches the template and belongs to no resource. Nest's enhancers apply as to a tool.
 */
export function McpResourceTemplate(options: McpResourceTemplateOptions = {} as McpResourceTemplateOptions): MethodDecorator {
  return declareHandler({ kind: 'resource-template', decorator: '@McpResourceTemplate', options });
}
