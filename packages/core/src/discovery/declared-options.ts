import { messageOf } from '../errors/thrown.js';
import { defined } from '../protocol/json.js';
import type { HandlerDeclaration, ResourceCacheOptions } from '../decorators/handler-metadata.js';
import { DefinitionError, type DefinitionFault } from '../errors/definition-fault.js';
import type { McpValueResolver } from '../seams/value-resolver.js';
import { parseTtl } from '../options/duration.js';
import type { ResourceCache } from './handler-definition.js';
import type { Icon } from '../protocol/official.js';

const TEXTS = ['name', 'title', 'description', 'mimeType', 'uri', 'uriTemplate'] as const;

/** A declaration with the placeholders in its texts resolved. @throws DefinitionError naming the placeholder without a value */
export function resolveDeclaration<D extends HandlerDeclaration>(declaration: D, resolver: McpValueResolver, where: string): D {
  const written: Readonly<Record<string, unknown>> = { ...declaration.options };
  const resolve = (text: string): string => {
    try {
      return resolver.resolve(text);
    } catch (error) {
      throw new DefinitionError({ where, problem: messageOf(error), fix: `Written in ${declaration.decorator} as "${text}".` });
    }
  };
  const texts = TEXTS.flatMap((key) => (typeof written[key] === 'string' ? [[key, resolve(written[key])]] : []));
  const icons = declaration.options.icons?.map((icon) => ({ ...icon, src: resolve(icon.src) }));
  return { ...declaration, options: { ...written, ...Object.fromEntries(texts), ...defined({ icons }) } };
}

/** Reads the `cache` option of a resource, in milliseconds. @throws DefinitionError if it is not a duration, or not a scope */
export function resourceCache({ ttl, scope }: ResourceCacheOptions, where: string): ResourceCache {
  if (scope !== undefined && scope !== 'public' && scope !== 'private') {
    throw new DefinitionError({ where, problem: `cache.scope is ${JSON.stringify(scope)}`, fix: "Write 'public' or 'private'." });
  }
  return defined({ ttlMs: ttl === undefined ? undefined : ttlOf(ttl, where), scope });
}

function ttlOf(ttl: string | number, where: string): number {
  try {
    return parseTtl(ttl);
  } catch (error) {
    throw new DefinitionError({ where, problem: `cache.ttl: ${messageOf(error)}`, fix: "Write cache: { ttl: 'PT1M' }, or 0." });
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
