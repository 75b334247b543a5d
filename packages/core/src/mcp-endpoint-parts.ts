import type { Abstract, InjectionToken, Provider, Type } from '@nestjs/common';
import { PromptRegistry } from './discovery/prompt-registry.js';
import { ResourceRegistry } from './discovery/resource-registry.js';
import { ResourceTemplateRegistry } from './discovery/resource-template-registry.js';
import { ToolRegistry } from './discovery/tool-registry.js';
import { McpPrincipalSource } from './envelope/principal-source.js';
import { DefinitionError } from './errors/definition-fault.js';
import { ToolInvoker } from './handlers/tool-invoker.js';
import { ToolCalls } from './methods/tool-calls.js';
import { ResolvedMcpOptions } from './options/resolve-mcp-options.js';
import { McpRegistrar } from './registration/mcp-registrar.js';
import { McpEndpointBinding } from './seams/endpoint-binding.js';
import { ROOT_ENDPOINT } from './seams/mcp-endpoint.decorator.js';
import { McpNotifier } from './subscriptions/mcp-notifier.js';

type Part = Type | Abstract<unknown>;

/** What an endpoint has of its own and others may inject. */
export const ENDPOINT_PARTS: readonly Part[] = [
  ResolvedMcpOptions,
  McpPrincipalSource,
  ToolCalls,
  ToolRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolInvoker,
  McpNotifier,
  McpRegistrar,
];

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The token of an endpoint's own part, such as its `McpRegistrar`: `@Inject(mcpEndpointToken('admin', McpRegistrar))`. In a module that is bound to
 * the endpoint the class alone is enough.
 */
export function mcpEndpointToken(endpoint: string, part: Part): InjectionToken {
  return endpoint === ROOT_ENDPOINT ? part : `mocapi:${endpoint}:${part.name}`;
}

/** For modules of extensions: providers that bind a module to an endpoint. What it injects of the framework is that endpoint's, and its seams are filled there alone. */
export function bindToMcpEndpoint(endpoint: string): Provider[] {
  const binding = bindingOf(endpoint);
  return endpoint === ROOT_ENDPOINT ? [binding] : [binding, ...ENDPOINT_PARTS.map((part) => borrowed(endpoint, part))];
}

function borrowed(endpoint: string, part: Part): Provider {
  return {
    provide: part,
    inject: [{ token: mcpEndpointToken(endpoint, part), optional: true }],
    useFactory: (found: unknown) => {
      if (found !== undefined) return found;
      throw new DefinitionError({
        where: `a module bound to the endpoint "${endpoint}"`,
        problem: 'there is no such endpoint',
        mend: `Import McpModule.forRoot({ endpoint: '${endpoint}', … }), or correct the name.`,
      });
    },
  };
}

/** What the module of another endpoint than the root has beside the rest: it is bound itself, and lends the endpoint's parts to the application. */
export function providersOfOther(endpoint: string): Provider[] {
  const lent = ENDPOINT_PARTS.map((part) => ({ provide: mcpEndpointToken(endpoint, part), useExisting: part }));
  return [bindingOf(endpoint), ...lent];
}

function bindingOf(endpoint: string): Provider {
  if (!NAME.test(endpoint)) throw new TypeError(`The endpoint name "${endpoint}" is not 1 to 64 of A-Z a-z 0-9 _ -`);
  return { provide: McpEndpointBinding, useValue: { endpoint } };
}
