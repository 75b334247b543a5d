import type { ServerCapabilities } from '../protocol/official.js';

/** Edits what `server/discover` advertises, at start-up (`@McpSeam('capabilities-customizer')`). An extension adds itself under `extensions`. */
export interface ServerCapabilitiesCustomizer {
  customize(capabilities: ServerCapabilities): void;
}

/** What the core alone offers. Nothing is advertised before it works. */
export function coreCapabilities(): ServerCapabilities {
  return { tools: {} };
}
