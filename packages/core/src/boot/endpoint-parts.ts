import type { Abstract, InjectionToken, Provider, Type } from '@nestjs/common';
import { PromptRegistry, ResourceRegistry, ResourceTemplateRegistry, ToolRegistry } from '../discovery/registries.js';
import { McpPrincipalSource } from '../envelope/principal.js';
import { DefinitionError, type DefinitionFault } from '../errors/definition-fault.js';
import { CallRunner } from '../methods/call-runner.js';
import { ResolvedMcpOptions } from '../options/resolve-mcp-options.js';
import { McpRegistrar } from '../registration/mcp-registrar.js';
import { McpEndpointBinding, ROOT_ENDPOINT } from '../seams/endpoint.js';
import { McpNotifier } from '../subscriptions/mcp-notifier.js';

type Part = Type | Abstract<unknown>;

/** Parts that each endpoint has of its own and others may inject. */
export const ENDPOINT_PARTS: readonly Part[] = [
  ResolvedMcpOptions,
  McpPrincipalSource,
  CallRunner,
  ToolRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  McpNotifier,
  McpRegistrar,
];

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The token of an endpoint's own part, such as its `McpRegistrar`: `@Inject(mcpEndpointToken('admin', McpRegistrar))`.
 * In a module that is bound to the endpoint the class is enough.
 */
export function mcpEndpointToken(endpoint: string, part: Part): InjectionToken {
  return endpoint === ROOT_ENDPOINT ? part : `mocapi:${endpoint}:${part.name}`;
}

/**
 * Providers that bind a module to an endpoint; for modules of extensions. The module then injects that endpoint's
 * parts, and its seams are active only there.
 */
export function bindToMcpEndpoint(endpoint: string): Provider[] {
  const binding = bindingOf(endpoint);
  return endpoint === ROOT_ENDPOINT ? [binding] : [binding, ...ENDPOINT_PARTS.map((part) => borrowed(endpoint, part))];
}

function borrowed(endpoint: string, part: Part): Provider {
  return lent(part, mcpEndpointToken(endpoint, part), {
    where: `a module bound to the endpoint "${endpoint}"`,
    problem: 'the endpoint does not exist',
    fix: `Import McpModule.forRoot({ endpoint: '${endpoint}', … }), or correct the name.`,
  });
}

/** A part that another module provides under `token`; throws `fault` if none does. */
function lent(part: Part, token: InjectionToken, fault: DefinitionFault): Provider {
  return {
    provide: part,
    inject: [{ token, optional: true }],
    useFactory: (found: unknown) => {
      if (found !== undefined) return found;
      throw new DefinitionError(fault);
    },
  };
}

/** The fault of an application that has no root endpoint. */
export const NO_ROOT: DefinitionFault = {
  where: 'McpModule',
  problem: 'the root endpoint is not configured: the class is imported without options, or only with those of another endpoint',
  fix: "Import McpModule.forRoot({ name: '…', version: '…' }), or forRootAsync.",
};

/** The token under which the root's module lends a part to a module that imports only the class. */
function rootToken(part: Part): InjectionToken {
  return `mocapi:root:${part.name}`;
}

/**
 * The root endpoint's parts, for `McpModule` imported without options. If a provider injects one of them and there is
 * no root, the error says so; Nest would only report a provider that it cannot find.
 */
export function partsOfRoot(): Provider[] {
  return ENDPOINT_PARTS.map((part) => lent(part, rootToken(part), NO_ROOT));
}

/** Further providers of the root's own module: it lends its parts to those modules. */
export const ROOT_LOANS: readonly Provider[] = ENDPOINT_PARTS.map((part) => ({ provide: rootToken(part), useExisting: part }));

/** The tokens of these, to be exported. */
export const ROOT_LOAN_TOKENS: readonly InjectionToken[] = ENDPOINT_PARTS.map(rootToken);

/**
 * Further providers of the module of an endpoint other than the root: it is bound itself, and lends the endpoint's parts
 * to the application.
 */
export function providersOfOther(endpoint: string): Provider[] {
  const lending = ENDPOINT_PARTS.map((part) => ({ provide: mcpEndpointToken(endpoint, part), useExisting: part }));
  return [bindingOf(endpoint), ...lending];
}

function bindingOf(endpoint: string): Provider {
  if (!NAME.test(endpoint)) throw new TypeError(`The endpoint name "${endpoint}" is not 1 to 64 of A-Z a-z 0-9 _ -`);
  return { provide: McpEndpointBinding, useValue: { endpoint } };
}
