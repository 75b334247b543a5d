import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import type { ToolRegistry } from '../discovery/tool-registry.js';
import type { McpResult } from '../protocol/messages.js';
import { Method } from '../protocol/method-names.js';
import { paginate } from './paginate.js';

/** `tools/list` (MCP server/tools "Listing tools"): in a stable order, by pages. */
export class ListToolsMethod implements McpMethod {
  readonly name = Method.ListTools;

  constructor(
    private readonly registry: ToolRegistry,
    private readonly pageSize: number,
  ) {}

  handle({ params }: DispatchContext): Promise<McpResult> {
    const { items, nextCursor } = paginate(this.registry.list(), params.cursor, this.pageSize);
    return Promise.resolve({
      resultType: 'complete',
      tools: items.map((tool) => tool.descriptor),
      ...(nextCursor === undefined ? {} : { nextCursor }),
      ttlMs: 0,
      cacheScope: 'private',
    });
  }
}
