import type { ContentBlock } from './official.js';
import type { McpResult } from './messages.js';

/** The outcome of a tool, as `tools/call` sends it (MCP server/tools "Tool result"). */
export interface CallToolResult extends McpResult {
  readonly resultType: 'complete';
  readonly content: ContentBlock[];
  readonly structuredContent?: unknown;
  /** The tool failed; the content says how, for the model to read. */
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}
