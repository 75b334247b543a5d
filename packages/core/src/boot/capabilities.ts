import type { Registries } from '../discovery/registries.js';
import type { Completers } from '../handlers/completion/completers.js';
import type { ResolvedMcpOptions } from '../options/resolve-mcp-options.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';
import type { ServerCapabilities } from '../protocol/official.js';
import { listedValues } from '../schema/property-values.js';
import type { SeamRegistry } from '../seams/seam-registry.js';

/** Edits what `server/discover` advertises, at start-up (`@McpSeam('capabilities-customizer')`). An extension adds itself under `extensions`. */
export interface ServerCapabilitiesCustomizer {
  customize(capabilities: ServerCapabilities): void;
}

/** The kinds of things a server can offer. What is not offered is neither advertised nor answered. */
type OfferedKind = 'tools' | 'prompts' | 'resources' | 'completions';

/** Sources of what a server can do, at boot. */
export interface CapabilitySources {
  readonly options: Pick<ResolvedMcpOptions, 'logging' | 'advertise'>;
  readonly seams: SeamRegistry;
  readonly registries: Registries;
  readonly completers: Completers;
}

/** Assembles the capabilities that `server/discover` advertises: the core's capabilities, edited by the application's customizers. */
export function assembleCapabilities({ options, seams, registries, completers }: CapabilitySources): ServerCapabilities {
  const capabilities = coreCapabilities(new Set([...offeredKinds(registries, completers), ...options.advertise]));
  if (options.logging) capabilities.logging = {};
  for (const customizer of seams.of<ServerCapabilitiesCustomizer>('capabilities-customizer')) customizer.customize(capabilities);
  return capabilities;
}

/** The capabilities of the core for these kinds of handlers. They are fixed at boot, because clients ask for them only once. */
function coreCapabilities(offered: ReadonlySet<OfferedKind>): ServerCapabilities {
  const capabilities: ServerCapabilities = {};
  if (offered.has('tools')) capabilities.tools = { listChanged: true };
  if (offered.has('prompts')) capabilities.prompts = { listChanged: true };
  if (offered.has('resources')) capabilities.resources = { listChanged: true, subscribe: true };
  if (offered.has('completions')) capabilities.completions = {};
  return capabilities;
}

/** The kinds of which there is something; and tools, which every server has, be it none yet. */
function offeredKinds({ prompts, resources, templates }: Registries, completers: Completers): OfferedKind[] {
  const isCompleted = completers.any || [...prompts.list(), ...templates.list()].some(({ inputSchema }) => listsValues(inputSchema.json));
  const offered: OfferedKind[] = ['tools'];
  if (prompts.list().length > 0) offered.push('prompts');
  if (resources.list().length + templates.list().length > 0) offered.push('resources');
  if (isCompleted) offered.push('completions');
  return offered;
}

/** Whether the schema lists values for some property. */
function listsValues(schema: JsonObject): boolean {
  const { properties } = schema;
  return isJsonObject(properties) && Object.keys(properties).some((name) => listedValues(schema, name).length > 0);
}
