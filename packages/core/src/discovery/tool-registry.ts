import type { ToolDefinition } from './handler-definition.js';
import { HandlerRegistry } from './handler-registry.js';

/** The server's tools, by name (MCP server/tools). */
export class ToolRegistry extends HandlerRegistry<ToolDefinition> {
  override keyOf({ name }: ToolDefinition): string {
    return name;
  }
}
