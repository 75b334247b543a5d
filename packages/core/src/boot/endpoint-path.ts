import { RequestMethod, VersioningType } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { DefinitionError } from '../errors/definition-fault.js';

/** Where an endpoint is to be, as its options say. */
export interface EndpointPlace {
  readonly path: string;
  /** Undefined: no version, whatever `defaultVersion` of the app says. The protocol has its own versions. */
  readonly endpointVersion: string | undefined;
}

/**
 * The path of an endpoint as Nest would build it for a controller: behind the global prefix unless `exclude` names it, and behind the version
 * if it has one.
 * @throws DefinitionError when it has a version and the app does not version by URI
 */
export function endpointPath(config: ApplicationConfig, { path, endpointVersion }: EndpointPlace): string {
  const version = endpointVersion === undefined ? '' : `/${versionPrefix(config)}${endpointVersion}`;
  const prefix = isExcluded(config, path) ? '' : config.getGlobalPrefix();
  const parts = [prefix, version, path].flatMap((part) => part.split('/').filter((segment) => segment !== ''));
  return `/${parts.join('/')}`;
}

function versionPrefix(config: ApplicationConfig): string {
  const versioning = config.getVersioning();
  if (versioning?.type !== VersioningType.URI) {
    throw new DefinitionError({
      where: 'McpModule endpointVersion',
      problem: 'the app does not use URI versioning, so the endpoint cannot have a version',
      fix: 'Call app.enableVersioning({ type: VersioningType.URI }), or leave endpointVersion out.',
    });
  }
  return versioning.prefix === false ? '' : (versioning.prefix ?? 'v');
}

/** Nest matches an exclusion against the path without its version; the endpoint is a route of POST. */
function isExcluded(config: ApplicationConfig, path: string): boolean {
  const methods: readonly number[] = [RequestMethod.ALL, RequestMethod.POST, -1];
  return (config.getGlobalPrefixOptions().exclude ?? []).some(
    ({ pathRegex, requestMethod }) => methods.includes(requestMethod) && pathRegex.test(path),
  );
}
