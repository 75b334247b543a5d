import type { HandlerDefinition, HandlerKind } from '../discovery/handler-definition.js';
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
import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { CallTarget } from '../handlers/run/invocation.js';
import type { Enter, Found } from '../handlers/run/kind-rules.js';
import type { MaybePromise } from '../protocol/maybe-promise.js';
import type { McpResult } from '../protocol/messages.js';

/** `tools/call`, `prompts/get` and `resources/read`: run a handler within the request, by the rules of its kind. */
export class CallMethod implements McpMethod {
  readonly guards = 'handler';

  constructor(
    readonly name: string,
    private readonly kind: HandlerKind,
    private readonly calls: CallRunner,
  ) {}

  resolve({ params }: DispatchContext, enter: Enter, found: Found): MaybePromise<CallTarget> {
    return this.calls.rules[this.kind].read(params, enter, found);
  }

  handle(context: DispatchContext): MaybePromise<McpResult> {
    return this.calls.answer(context, context.target as CallTarget);
  }
}

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
  if (tools) methods.push(list(Method.ListTools, 'tools', parts), new CallMethod(Method.CallTool, 'tool', calls));
  if (prompts) methods.push(list(Method.ListPrompts, 'prompts', parts), new CallMethod(Method.GetPrompt, 'prompt', calls));
  if (resources) methods.push(...resourceMethods(parts));
  if (completions) methods.push(new CompleteMethod(surface, parts.completers));
  return methods;
}

function resourceMethods(parts: CoreMethodsParts): McpMethod[] {
  return [
    list(Method.ListResources, 'resources', parts),
    list(Method.ListResourceTemplates, 'resourceTemplates', parts),
    new CallMethod(Method.ReadResource, 'resource', parts.calls),
  ];
}

function list(name: string, member: 'tools' | 'prompts' | 'resources' | 'resourceTemplates', parts: CoreMethodsParts): ListMethod {
  const { surface, pageSize, cache } = parts;
  const { tools, prompts, resources, templates } = surface;
  const registry = { tools, prompts, resources, resourceTemplates: templates }[member] as HandlerRegistry<HandlerDefinition>;
  return new ListMethod(new VisibleList(registry, surface.visibility), { name, member, pageSize, cache });
}
