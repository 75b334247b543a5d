import type { PromptDefinition } from './handler-definition.js';
import { HandlerRegistry } from './handler-registry.js';

/** The server's prompts, by name (MCP server/prompts). */
export class PromptRegistry extends HandlerRegistry<PromptDefinition> {
  override keyOf({ name }: PromptDefinition): string {
    return name;
  }
}
