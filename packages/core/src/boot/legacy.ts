import { requiredExtensionOf } from '../discovery/handler-definition.js';
import type { ToolRegistry } from '../discovery/registries.js';
import type { EndpointGate } from '../dispatch/endpoint-gate.js';
import type { MessageDispatcher } from '../dispatch/message-dispatcher.js';
import type { ResolvedMcpOptions } from '../options/resolve-mcp-options.js';
import type { ServerCapabilities } from '../protocol/official.js';
import type { LegacyEra, LegacyTool } from '../transport/legacy/legacy-parts.js';

/** Sources of the answers to clients of the 2025 revisions, at boot. */
export interface LegacySources {
  readonly options: ResolvedMcpOptions;
  readonly dispatcher: MessageDispatcher;
  readonly gate: EndpointGate;
  readonly capabilities: ServerCapabilities;
  readonly tools: ToolRegistry;
}

/** Assembles the handling of clients of the 2025 revisions, as the module's options say. */
export function assembleLegacy({ options, dispatcher, gate, capabilities, tools }: LegacySources): LegacyEra {
  const { legacy, serverInfo, instructions } = options;
  if (legacy === 'reject') return legacy;
  return { dispatcher, gate, serverInfo, instructions, capabilities, tool: (name) => legacyTool(tools, name) };
}

function legacyTool(tools: ToolRegistry, name: string): LegacyTool | undefined {
  const tool = tools.byKey.get(name);
  if (!tool) return undefined;
  return { requiredExtension: requiredExtensionOf(tool), outputSchema: tool.descriptor.outputSchema };
}
