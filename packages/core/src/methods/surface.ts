import { Inject, Injectable } from '@nestjs/common';
import type { HandlerDefinition } from '../discovery/handler-definition.js';
import { PromptRegistry, ResourceRegistry, ResourceTemplateRegistry, ToolRegistry } from '../discovery/registries.js';
import type { DefinitionFault } from '../errors/definition-fault.js';
import { ErrorTranslation } from '../errors/error-translation.js';
import { GuardCheck } from '../handlers/run/guard-check.js';
import { HandlerFailure } from '../handlers/failure/handler-failure.js';
import { HandlerVisibility } from '../handlers/visibility/handler-visibility.js';
import { Completers } from '../handlers/completion/completers.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';
import { listedValues } from '../schema/property-values.js';
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

/** Whether the schema lists values for some property. */
function listsValues(schema: JsonObject): boolean {
  const { properties } = schema;
  return isJsonObject(properties) && Object.keys(properties).some((name) => listedValues(schema, name).length > 0);
}

/** All that the core's methods answer from: the handlers by kind, who sees them, and what runs them. */
@Injectable()
export class Surface {
  constructor(
    @Inject(ToolRegistry) readonly tools: ToolRegistry,
    @Inject(PromptRegistry) readonly prompts: PromptRegistry,
    @Inject(ResourceRegistry) readonly resources: ResourceRegistry,
    @Inject(ResourceTemplateRegistry) readonly templates: ResourceTemplateRegistry,
    @Inject(HandlerVisibility) readonly visibility: HandlerVisibility,
    @Inject(GuardCheck) readonly guards: GuardCheck,
    @Inject(Completers) readonly completers: Completers,
    @Inject(HandlerFailure) readonly failure: HandlerFailure,
    @Inject(ErrorTranslation) readonly translation: ErrorTranslation,
  ) {}

  /** Every handler. */
  handlers(): HandlerDefinition[] {
    return [...this.tools.list(), ...this.prompts.list(), ...this.resources.list(), ...this.templates.list()];
  }

  /** Takes the application's handlers over, at boot, before those that were added by then. */
  takeOver(definitions: readonly HandlerDefinition[]): void {
    this.tools.replace([...definitions.filter((definition) => definition.kind === 'tool'), ...this.tools.list()]);
    this.prompts.replace([...definitions.filter((definition) => definition.kind === 'prompt'), ...this.prompts.list()]);
    this.resources.replace([...definitions.filter((definition) => definition.kind === 'resource'), ...this.resources.list()]);
    this.templates.replace([...definitions.filter((definition) => definition.kind === 'resource-template'), ...this.templates.list()]);
  }

  /** Finds the completers of the handlers that were taken over. */
  loadCompleters(faults: DefinitionFault[]): void {
    const { prompts, templates } = this;
    this.completers.load(({ prompt, template }) => (prompt === undefined ? templates.get(template) : prompts.get(prompt)), faults);
  }

  /** The kinds of which there is something; and tools, which every server has, be it none yet. */
  offered(): Set<OfferedKind> {
    const { prompts, resources, templates } = this;
    const has: Record<OfferedKind, boolean> = {
      tools: true,
      prompts: prompts.list().length > 0,
      resources: resources.list().length + templates.list().length > 0,
      completions: this.completers.any || [...prompts.list(), ...templates.list()].some(({ inputSchema }) => listsValues(inputSchema.json)),
    };
    return new Set((Object.keys(has) as OfferedKind[]).filter((kind) => has[kind]));
  }
}
