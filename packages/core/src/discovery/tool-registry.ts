import type { ToolDefinition } from './tool-definition.js';

/** The server's tools: found by name, listed in a stable order. */
export class ToolRegistry {
  private byName: ReadonlyMap<string, ToolDefinition> = new Map();
  private ordered: readonly ToolDefinition[] = [];

  /** Takes the tools over, once, at boot. Their order is that of declaration, the same on every start and every node. */
  fill(tools: readonly ToolDefinition[]): void {
    this.ordered = tools;
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
  }

  get(name: string): ToolDefinition | undefined {
    return this.byName.get(name);
  }

  list(): readonly ToolDefinition[] {
    return this.ordered;
  }
}
