import { checkParams } from '../discovery/check-params.js';
import type { NamedTool } from '../discovery/check-tools.js';
import { collectFault } from '../discovery/collect-fault.js';
import type { FoundHandler } from '../discovery/find-handlers.js';
import { resolveToolOptions } from '../discovery/resolve-options.js';
import { compileToolInput } from '../discovery/tool-input.js';
import type { McpToolOptions } from '../decorators/handler-metadata.js';
import type { DefinitionFault } from '../errors/definition-fault.js';
import type { Tool } from '../protocol/official.js';
import { compileSchema } from '../schema/compile-schema.js';
import type { CompiledSchema } from '../schema/compiled-schema.js';
import type { McpValueResolver } from '../seams/value-resolver.js';
import { markedParams } from './prepare-handler.js';
import { HandlerStrata } from './strata.js';
import { ToolUnderConstruction } from './tool-under-construction.js';

/** Where the construction of tools reads placeholders, and reports to. */
export interface ToolConstruction {
  readonly resolver: McpValueResolver;
  readonly faults: DefinitionFault[];
  /** Every name that is known, those of faulty tools included. */
  readonly names: NamedTool[];
}

interface ToolSchemas {
  readonly inputSchema: CompiledSchema;
  readonly outputSchema?: CompiledSchema;
}

/** Makes a tool of a marked method, open to be adjusted. Undefined when it is faulty; all its faults have been reported then. */
export function constructTool(found: FoundHandler, construction: ToolConstruction): ToolUnderConstruction | undefined {
  const { resolver, faults, names } = construction;
  const { where } = found;
  const written = found.toolOptions!;
  const options = collectFault(faults, () => resolveToolOptions(written, resolver, where));
  const name = options?.name ?? found.methodName;
  if (options) names.push({ name, where });
  if (!(options ?? written).description?.trim()) {
    faults.push({ where, problem: 'the tool has no description', mend: "Tell the model what it does: @McpTool({ description: '…' })." });
  }
  const schemas = compileSchemas(found, written, faults);
  if (!options || !schemas) return undefined;
  return new ToolUnderConstruction({ found, descriptor: descriptorOf(name, options, schemas), strata: new HandlerStrata(), ...schemas });
}

function compileSchemas(found: FoundHandler, options: McpToolOptions, faults: DefinitionFault[]): ToolSchemas | undefined {
  const method = { ...found, params: markedParams(found) };
  faults.push(...checkParams(method));
  const inputSchema = compileToolInput(method, options, faults);
  const { outputSchema: output } = options;
  const outputSchema = output && collectFault(faults, () => compileSchema(output, { where: found.where, use: 'output' }));
  if (!inputSchema || (output && !outputSchema)) return undefined;
  return { inputSchema, ...(outputSchema ? { outputSchema } : {}) };
}

function descriptorOf(name: string, options: McpToolOptions, { inputSchema, outputSchema }: ToolSchemas): Tool {
  return {
    name,
    ...(options.title === undefined ? {} : { title: options.title }),
    description: options.description ?? '',
    inputSchema: inputSchema.json,
    ...(outputSchema ? { outputSchema: outputSchema.json } : {}),
    ...(options.annotations ? { annotations: options.annotations } : {}),
    ...(options._meta ? { _meta: options._meta } : {}),
  } as Tool;
}
