import type { HandlerDeclaration } from '../decorators/handler-metadata.js';
import { DefinitionError } from '../errors/definition-fault.js';
import type { McpValueResolver } from '../seams/value-resolver.js';

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
