import { McpError } from '../../errors/mcp.error.js';
import { ErrorCode } from '../../protocol/error-codes.js';
import type { RequestId, RequestMessage } from '../../protocol/messages.js';

/**
 * Checks the requests of one batch: each has an id of its own, by which its answer is known, and none is the handshake
 * (MCP 2025-03-26 basic "Lifecycle").
 *
 * @throws McpError -32600 saying how to send them instead
 */
export function checkBatch(requests: readonly RequestMessage[]): void {
  if (requests.some(({ method }) => method === 'initialize')) throw refusal('initialize must be sent alone, not in a batch');
  const ids = new Set<RequestId>(requests.map(({ id }) => id));
  if (ids.size < requests.length) throw refusal('two requests of a batch have the same id; give each an id of its own');
}

function refusal(problem: string): McpError {
  return new McpError(ErrorCode.InvalidRequest, `Invalid request: ${problem}`);
}
