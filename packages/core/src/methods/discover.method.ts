import { defined } from '../protocol/json.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import type { McpResult } from '../protocol/messages.js';
import { Method, SUPPORTED_PROTOCOL_VERSIONS } from '../protocol/vocabulary.js';
import type { ServerCapabilities } from '../protocol/official.js';
import { listHints, type CacheSettings } from './cache-hints.js';

/** Members of `server/discover` besides the capabilities. */
export interface DiscoverSettings {
  readonly instructions: string | undefined;
  readonly cache: CacheSettings;
}

/** `server/discover` (MCP server/discover): what the server can do. The same for every caller. */
export class DiscoverMethod implements McpMethod {
  readonly name = Method.Discover;

  constructor(
    private readonly capabilities: ServerCapabilities,
    private readonly settings: DiscoverSettings,
  ) {}

  handle(): McpResult {
    const { instructions, cache } = this.settings;
    return {
      resultType: 'complete',
      supportedVersions: [...SUPPORTED_PROTOCOL_VERSIONS],
      capabilities: this.capabilities,
      ...defined({ instructions }),
      ...listHints(cache, false),
    };
  }
}
