import {
  ParamKind,
  type HandlerDeclaration,
  type McpCompleteOptions,
  type McpPromptOptions,
  type McpResourceOptions,
  type McpResourceTemplateOptions,
  type McpToolOptions,
  type ParamMetadata,
  type ResourceCacheOptions,
} from '../decorators/handler-metadata.js';
import type { McpArgData, McpArgOptions, McpArgsOptions } from '../decorators/mcp-params.decorators.js';
import type { DefinitionFault } from '../errors/definition-fault.js';
import { unknownOptions, type OptionNames } from '../errors/unknown-options.js';
import type { MarkedMethod } from './check-params.js';

const COMMON = { name: true, title: true, description: true, icons: true, _meta: true } as const;
const RESOURCE = { ...COMMON, mimeType: true, annotations: true, cache: true } as const;
const TOOL: OptionNames<McpToolOptions> = { ...COMMON, annotations: true, inputSchema: true, outputSchema: true };
const PROMPT: OptionNames<McpPromptOptions> = { ...COMMON, inputSchema: true };
const FIXED_RESOURCE: OptionNames<McpResourceOptions> = { ...RESOURCE, uri: true, size: true };
const TEMPLATE: OptionNames<McpResourceTemplateOptions> = { ...RESOURCE, uriTemplate: true, inputSchema: true };
const COMPLETE: OptionNames<McpCompleteOptions> = { prompt: true, template: true, argument: true };
const HANDLER = { tool: TOOL, prompt: PROMPT, resource: FIXED_RESOURCE, 'resource-template': TEMPLATE };
const CACHE: OptionNames<ResourceCacheOptions> = { ttl: true, scope: true };
const ARGS: OptionNames<McpArgsOptions> = { schema: true, pipes: true };
const ARG: OptionNames<McpArgOptions> = {
  schema: true,
  enum: true,
  description: true,
  default: true,
  required: true,
  header: true,
  pipes: true,
};

/** The options of a handler's decorator, and of those of its parameters, that do not exist: one that is misspelt would have no effect. */
export function checkOptionNames({ where, params }: MarkedMethod, declaration: HandlerDeclaration): DefinitionFault[] {
  const { decorator, options, kind } = declaration;
  const faults = faultsOf(where, decorator, { given: options, names: HANDLER[kind] });
  if ('cache' in options) faults.push(...faultsOf(where, `${decorator} cache`, { given: options.cache, names: CACHE }));
  for (const [key, param] of Object.entries(params)) faults.push(...ofParam(where, key, param));
  return faults;
}

/** The options of an `@McpComplete` that do not exist. */
export function checkCompleterNames(where: string, options: McpCompleteOptions): DefinitionFault[] {
  return faultsOf(where, '@McpComplete', { given: options, names: COMPLETE });
}

function ofParam(where: string, key: string, { options, data }: ParamMetadata): DefinitionFault[] {
  if (key.startsWith(`${ParamKind.Args}:`)) return faultsOf(where, '@McpArgs', { given: options, names: ARGS });
  if (!key.startsWith(`${ParamKind.Arg}:`)) return [];
  return faultsOf(where, `@McpArg('${(data as McpArgData).name}')`, { given: options, names: ARG });
}

interface GivenOptions {
  readonly given: object | undefined;
  readonly names: Readonly<Record<string, true>>;
}

function faultsOf(where: string, decorator: string, { given, names }: GivenOptions): DefinitionFault[] {
  return unknownOptions(given, names).map(({ name, fix }) => ({ where, problem: `${decorator} has no option "${name}"`, fix }));
}
