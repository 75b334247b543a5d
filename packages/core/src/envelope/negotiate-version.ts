import { McpError } from '../errors/mcp.error.js';
import { ErrorCode, SUPPORTED_PROTOCOL_VERSIONS } from '../protocol/vocabulary.js';

/**
 * Refuses a revision that is not served (MCP basic "Versioning"). There is nothing to negotiate: the client picks from `supported` and asks again.
 *
 * @throws McpError `-32022` with `data: { supported, requested }`
 */
export function negotiateVersion(requested: string): void {
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(requested)) return;
  throw new McpError(ErrorCode.UnsupportedProtocolVersion, 'Unsupported protocol version', {
    data: { supported: [...SUPPORTED_PROTOCOL_VERSIONS], requested },
  });
}
