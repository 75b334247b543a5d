import type { HandlerDefinition } from '../discovery/handler-definition.js';
import type { HandlerRegistry } from '../discovery/registries.js';
import type { Completers } from '../handlers/completion/completers.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import { Method } from '../protocol/vocabulary.js';
import type { ServerCapabilities } from '../protocol/official.js';
import type { CallRunner } from './call-runner.js';
import type { CacheSettings } from './cache-hints.js';
import { CompleteMethod } from './complete.method.js';
import { DiscoverMethod } from './discover.method.js';
import { ListMethod } from './list.method.js';
import type { Surface } from './surface.js';
import { VisibleList } from './visible-list.js';

/** Parts that the core's methods use to answer. */
export interface CoreMethodsParts {
  readonly calls: CallRunner;
  readonly cache: CacheSettings;
  readonly surface: Surface;
  readonly completers: Completers;
  readonly pageSize: number;
  readonly instructions: string | undefined;
  readonly capabilities: ServerCapabilities;
}

/** The JSON-RPC methods of the core, of the kinds that are advertised; extensions contribute theirs beside these. */
export function coreMethods(parts: CoreMethodsParts): McpMethod[] {
  const { calls, surface, capabilities, instructions, cache } = parts;
  const { tools, prompts, resources, completions } = capabilities;
  const methods: McpMethod[] = [new DiscoverMethod(capabilities, { instructions, cache })];
  if (tools) methods.push(list(Method.ListTools, 'tools', parts), calls.method(Method.CallTool, 'tool'));
  if (prompts) methods.push(list(Method.ListPrompts, 'prompts', parts), calls.method(Method.GetPrompt, 'prompt'));
  if (resources) methods.push(...resourceMethods(parts));
  if (completions) methods.push(new CompleteMethod(surface, parts.completers));
  return methods;
}

function resourceMethods(parts: CoreMethodsParts): McpMethod[] {
  return [
    list(Method.ListResources, 'resources', parts),
    list(Method.ListResourceTemplates, 'resourceTemplates', parts),
    parts.calls.method(Method.ReadResource, 'resource'),
  ];
}

function list(name: string, member: 'tools' | 'prompts' | 'resources' | 'resourceTemplates', parts: CoreMethodsParts): ListMethod {
  const { surface, pageSize, cache } = parts;
  const { tools, prompts, resources, templates } = surface;
  const registry = { tools, prompts, resources, resourceTemplates: templates }[member] as HandlerRegistry<HandlerDefinition>;
  return new ListMethod(new VisibleList(registry, surface.visibility), { name, member, pageSize, cache });
}
