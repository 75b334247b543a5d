import type { HandlerDeclaration, ResourceCacheOptions } from '../decorators/handler-metadata.js';
import { DefinitionError, type DefinitionFault } from '../errors/definition-fault.js';
import type { McpValueResolver } from '../seams/value-resolver.js';
import { parseTtl } from '../options/duration.js';
import type { ResourceCache } from './handler-definition.js';
import type { Icon } from '../protocol/official.js';

const TEXTS = ['name', 'title', 'description', 'mimeType', 'uri', 'uriTemplate'] as const;

/** A declaration with the placeholders in its texts resolved. @throws DefinitionError naming the placeholder without a value */
export function resolveDeclaration<D extends HandlerDeclaration>(declaration: D, resolver: McpValueResolver, where: string): D {
  const written = declaration.options as Readonly<Record<string, unknown>>;
  const resolve = (text: string): string => {
    try {
      return resolver.resolve(text);
    } catch (error) {
      throw new DefinitionError({ where, problem: (error as Error).message, fix: `Written in ${declaration.decorator} as "${text}".` });
    }
  };
  const texts = TEXTS.filter((key) => typeof written[key] === 'string');
  const resolved = Object.fromEntries(texts.map((key) => [key, resolve(written[key] as string)]));
  const icons = declaration.options.icons?.map((icon) => ({ ...icon, src: resolve(icon.src) }));
  return { ...declaration, options: { ...written, ...resolved, ...(icons ? { icons } : {}) } };
}

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

/** Icons that no client would show: their `src` is neither `https:` nor `data:` (MCP basic "Icons"). */
export function checkIcons(icons: readonly Icon[] | undefined, where: string): DefinitionFault[] {
  const unsafe = (icons ?? []).filter(({ src }) => !/^(?:https:\/\/|data:image\/)/i.test(src) || !URL.canParse(src));
  return unsafe.map(({ src }) => ({
    where,
    problem: `the icon "${src.slice(0, 100)}" is neither an https: URL nor a data: URI of an image, so clients would reject it`,
    fix: "Write icons: [{ src: 'https://…', mimeType: 'image/png', sizes: ['48x48'] }].",
  }));
}
