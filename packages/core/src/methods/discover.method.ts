import type { McpMethod } from '../dispatch/mcp-method.js';
import type { McpResult } from '../protocol/messages.js';
import { Method } from '../protocol/method-names.js';
import type { ServerCapabilities } from '../protocol/official.js';
import { SUPPORTED_PROTOCOL_VERSIONS } from '../protocol/protocol-version.js';

/** `server/discover` (MCP server/discover): what the server can do. The same for every caller. */
export class DiscoverMethod implements McpMethod {
  readonly name = Method.Discover;

  constructor(
    private readonly capabilities: ServerCapabilities,
    private readonly instructions: string | undefined,
  ) {}

  handle(): Promise<McpResult> {
    return Promise.resolve({
      resultType: 'complete',
      supportedVersions: [...SUPPORTED_PROTOCOL_VERSIONS],
      capabilities: this.capabilities,
      ...(this.instructions === undefined ? {} : { instructions: this.instructions }),
      ttlMs: 0,
      cacheScope: 'private',
    });
  }
}
