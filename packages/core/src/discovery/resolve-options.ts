import { DefinitionError } from '../errors/definition-fault.js';
import type { McpValueResolver } from '../seams/value-resolver.js';
import type { McpToolOptions } from '../decorators/handler-metadata.js';

/** The strings of a tool's options with their placeholders resolved. @throws DefinitionError naming the placeholder without a value */
export function resolveToolOptions(options: McpToolOptions, resolver: McpValueResolver, where: string): McpToolOptions {
  const resolve = (text: string): string => {
    try {
      return resolver.resolve(text);
    } catch (error) {
      throw new DefinitionError({ where, problem: (error as Error).message, mend: `Written in @McpTool as "${text}".` });
    }
  };
  const strings = (['name', 'title', 'description'] as const).filter((key) => options[key] !== undefined);
  return { ...options, ...Object.fromEntries(strings.map((key) => [key, resolve(options[key]!)])) };
}
