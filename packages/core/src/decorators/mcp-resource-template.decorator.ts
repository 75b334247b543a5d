import { declareHandler } from './declare-handler.js';
import type { McpResourceTemplateOptions } from './handler-metadata.js';

/** Makes a method of a provider or controller a resource template (MCP server/resources "Resource templates"): it reads every URI that the template matches and no resource has. Nest's enhancers apply as to a tool. */
export function McpResourceTemplate(options: McpResourceTemplateOptions = {} as McpResourceTemplateOptions): MethodDecorator {
  return declareHandler({ kind: 'resource-template', decorator: '@McpResourceTemplate', options });
}
