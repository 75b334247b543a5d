import type { ServerCapabilities } from '../protocol/official.js';

/** Edits what `server/discover` advertises, at start-up (`@McpSeam('capabilities-customizer')`). An extension adds itself under `extensions`. */
export interface ServerCapabilitiesCustomizer {
  customize(capabilities: ServerCapabilities): void;
}

/** The kinds of things a server can offer. What is not offered is neither advertised nor answered. */
export type OfferedKind = 'tools' | 'prompts' | 'resources' | 'completions';

/** The capabilities of the core itself for these kinds. Settled at boot: clients are told once. */
export function coreCapabilities(offered: ReadonlySet<OfferedKind>): ServerCapabilities {
  const capabilities: ServerCapabilities = {};
  if (offered.has('tools')) capabilities.tools = { listChanged: true };
  if (offered.has('prompts')) capabilities.prompts = { listChanged: true };
  if (offered.has('resources')) capabilities.resources = { listChanged: true, subscribe: true };
  if (offered.has('completions')) capabilities.completions = {};
  return capabilities;
}
