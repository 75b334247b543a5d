import { McpError } from '../../errors/mcp.error.js';
import { ErrorCode } from '../../protocol/error-codes.js';
import type { RequestId, RequestMessage } from '../../protocol/messages.js';

/** The only revision that has batches; 2025-06-18 took them out again (its changelog, "Major changes" 1). */
const REVISION_OF_BATCHES = '2025-03-26';

/**
 * Checks the requests of one batch: its revision has batches, each request has its own id, which identifies its
 * answer, and none is the handshake (MCP 2025-03-26 basic "Lifecycle").
 * @throws McpError -32600 saying how to send them instead
 */
export function checkBatch(requests: readonly RequestMessage[], protocolVersion: string): void {
  if (protocolVersion !== REVISION_OF_BATCHES) {
    throw refusal(`only revision ${REVISION_OF_BATCHES} has batches; send the messages one by one`);
  }
  if (requests.some(({ method }) => method === 'initialize')) throw refusal('initialize must be sent alone, not in a batch');
  const ids = new Set<RequestId>(requests.map(({ id }) => id));
  if (ids.size < requests.length) throw refusal('two requests of a batch have the same id; give each an id of its own');
}

function refusal(problem: string): McpError {
  return new McpError(ErrorCode.InvalidRequest, `Invalid request: ${problem}`);
}
