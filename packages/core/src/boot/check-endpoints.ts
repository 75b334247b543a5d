import { Inject, Injectable, VersioningType } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { findHandlers, type HostWrapper } from '../discovery/find-handlers.js';
import { collectFault, type DefinitionFault } from '../errors/definition-fault.js';
import { ResolvedMcpOptions } from '../options/resolve-mcp-options.js';
import { endpointsOf, endpointOfModule, ROOT_ENDPOINT } from '../seams/endpoint.js';
import { endpointPath } from './endpoint-path.js';

/** Where an endpoint is, and whether it and the others of the application are in each other's way. */
@Injectable()
export class EndpointPlace {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(ResolvedMcpOptions) private readonly options: ResolvedMcpOptions,
  ) {}

  /** The endpoint's whole path, prefix and version included; what is wrong with it goes to `faults`. */
  path(faults: DefinitionFault[]): string {
    return collectFault(faults, () => endpointPath(this.config, this.options)) ?? this.options.path;
  }

  /**
   * Checks the endpoints of the application as a whole: names and paths that are used twice, classes that belong to no
   * endpoint, and classes whose endpoint is unclear. The first endpoint does so for all of them.
   */
  check(): DefinitionFault[] {
    const { discovery, config } = this;
    const opened = optionsOfAll(discovery);
    if (opened[0] !== this.options) return [];
    return [
      ...twice(opened, ({ endpoint }) => endpoint, 'the endpoint'),
      ...twice(opened, (each) => pathOf(config, each), 'the path'),
      ...besideTheirs(discovery),
      ...homeless(discovery, new Set(opened.map(({ endpoint }) => endpoint))),
    ];
  }
}

/** Each module has made its options itself; those it lends to others are the same objects. */
function optionsOfAll(discovery: DiscoveryService): ResolvedMcpOptions[] {
  const found = discovery.getProviders().filter(({ token }) => token === ResolvedMcpOptions);
  return [...new Set(found.map(({ instance }): ResolvedMcpOptions => instance))];
}

function pathOf(config: ApplicationConfig, options: ResolvedMcpOptions): string {
  const { path, endpointVersion } = options;
  // A version that cannot be is a fault of its endpoint, which reports it itself.
  return endpointPath(config, { path, endpointVersion: isVersioned(config) ? endpointVersion : undefined });
}

function isVersioned(config: ApplicationConfig): boolean {
  return config.getVersioning()?.type === VersioningType.URI;
}

function twice(opened: readonly ResolvedMcpOptions[], read: (options: ResolvedMcpOptions) => string, what: string): DefinitionFault[] {
  const values = opened.map(read);
  const repeated = new Set(values.filter((value, index) => values.indexOf(value) !== index));
  return [...repeated].map((value) => ({
    where: 'McpModule',
    problem: `${what} "${value}" is used by more than one McpModule.forRoot`,
    fix: "Give each endpoint its own: McpModule.forRoot({ endpoint: 'admin', path: '/admin/mcp', … }).",
  }));
}

function homeless(discovery: DiscoveryService, known: ReadonlySet<string>): DefinitionFault[] {
  const wrappers = [...discovery.getProviders(), ...discovery.getControllers()];
  const faults = wrappers.flatMap((wrapper) =>
    (endpointsOf(wrapper) ?? []).filter((endpoint) => !known.has(endpoint)).map((endpoint) => [wrapper.name, endpoint] as const),
  );
  const unique = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
  return [...unique.values()].map(([where, endpoint]) => ({
    where,
    problem: `it belongs to the endpoint "${endpoint}", which does not exist`,
    fix: `Import McpModule.forRoot({ endpoint: '${endpoint}', … }), or name one of: ${[...known].join(', ') || ROOT_ENDPOINT}.`,
  }));
}

/**
 * Reports handlers of the root whose module is imported by a module of another endpoint: importing does not move them
 * to that endpoint, and an author who thinks so would offer to everybody what was meant for a few.
 */
function besideTheirs(discovery: DiscoveryService): DefinitionFault[] {
  const importers = importersOf(discovery);
  const unsaid = findHandlers({ discovery, scanner: new MetadataScanner(), endpoint: ROOT_ENDPOINT }).filter(
    ({ wrapper }) => endpointsOf(wrapper) === undefined,
  );
  return unsaid.flatMap(({ wrapper, where, classRef }) => {
    const endpoint = importers.get(wrapper.host);
    if (endpoint === undefined) return [];
    return {
      where,
      problem: `it belongs to the endpoint "${ROOT_ENDPOINT}", but a module of the endpoint "${endpoint}" imports its module`,
      fix: `Name the endpoint that you mean: @McpEndpoint('${endpoint}') or @McpEndpoint('${ROOT_ENDPOINT}') on ${classRef.name}.`,
    };
  });
}

/** Modules that a module of another endpoint than the root imports, with that endpoint. */
function importersOf(discovery: DiscoveryService): Map<HostWrapper['host'], string> {
  const hosts = new Set(discovery.getProviders().map(({ host }) => host));
  const pairs = [...hosts].flatMap((host) => {
    const endpoint = endpointOfModule(host);
    if (!host || endpoint === undefined || endpoint === ROOT_ENDPOINT) return [];
    return [...host.imports].map((imported) => [imported, endpoint] as const);
  });
  return new Map(pairs);
}
