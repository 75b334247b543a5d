import type { ResourceCacheOptions } from '../decorators/handler-metadata.js';
import { DefinitionError } from '../errors/definition-fault.js';
import { parseTtl } from '../options/duration.js';
import type { ResourceCache } from './handler-definition.js';

/** Reads the `cache` option of a resource, in milliseconds. @throws DefinitionError if it is not a duration, or not a scope */
export function resourceCache({ ttl, scope }: ResourceCacheOptions, where: string): ResourceCache {
  if (scope !== undefined && scope !== 'public' && scope !== 'private') {
    throw new DefinitionError({ where, problem: `cache.scope is ${JSON.stringify(scope)}`, fix: "Write 'public' or 'private'." });
  }
  return { ...(ttl === undefined ? {} : { ttlMs: ttlOf(ttl, where) }), ...(scope === undefined ? {} : { scope }) };
}

function ttlOf(ttl: string | number, where: string): number {
  try {
    return parseTtl(ttl);
  } catch (error) {
    throw new DefinitionError({ where, problem: `cache.ttl: ${(error as Error).message}`, fix: "Write cache: { ttl: 'PT1M' }, or 0." });
  }
}
