import type { McpMethod } from './mcp-method.js';

/** Adds JSON-RPC methods at start-up (`@McpSeam('method-contributor')`). A name that exists already fails the boot and names both. */
export interface McpMethodContributor {
  methods(): readonly McpMethod[];
}
