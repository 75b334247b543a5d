import type { McpResult } from '../protocol/messages.js';
import { SERVER_INFO_META_KEY } from '../protocol/official.js';
import type { Implementation } from '../protocol/official.js';

/**
 * Stamps a result with who made it (MCP basic "_meta", `io.modelcontextprotocol/serverInfo`). The result is left as it is, frozen or not,
 * and a stamp that it carries already stays.
 */
export function finishResult(result: McpResult, serverInfo: Implementation): McpResult {
  const meta = result._meta as object | undefined;
  return { ...result, _meta: { [SERVER_INFO_META_KEY]: serverInfo, ...meta } };
}
