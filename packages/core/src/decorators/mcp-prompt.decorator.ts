import { declareHandler } from './declare-handler.js';
import type { McpPromptOptions } from './handler-metadata.js';

/** Makes a method of a provider or controller a prompt (MCP server/prompts): what it returns, a text, a message, several, or a `GetPromptResult`, is what `prompts/get` answers. Nest's enhancers apply as to a tool. */
export function McpPrompt(options: McpPromptOptions = {}): MethodDecorator {
  return declareHandler({ kind: 'prompt', decorator: '@McpPrompt', options });
}
