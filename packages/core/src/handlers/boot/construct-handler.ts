import { checkAddress, shapeOf } from '../../discovery/check-addresses.js';
import { checkIcons, resolveDeclaration, resourceCache } from '../../discovery/declared-options.js';
import { describeHandler } from '../../discovery/describe-handler.js';
import { checkOptionNames } from '../../discovery/check-option-names.js';
import { checkParams } from '../../discovery/check-params.js';
import type { NamedHandler } from '../../discovery/check-names.js';
import { declareParamHeaders } from '../../discovery/declare-param-headers.js';
import { collectFault, type DefinitionFault } from '../../errors/definition-fault.js';
import type { FoundHandler } from '../../discovery/find-handlers.js';
import type { ResourceCache } from '../../discovery/handler-definition.js';
import { compileInput } from '../../discovery/handler-input.js';
import type { PipesInForce } from '../../discovery/judging-pipes.js';
import type { HandlerDeclaration } from '../../decorators/handler-metadata.js';
import { compileSchema } from '../../schema/compile-schema.js';
import type { CompiledSchema } from '../../schema/compiled-schema.js';
import type { McpValueResolver } from '../../seams/value-resolver.js';
import { ConstructedHandler } from './constructed-handler.js';
import { markedParams } from '../nest/prepare-handler.js';

/** Where the construction of handlers reads placeholders, and reports to. */
export interface HandlerConstruction {
  readonly resolver: McpValueResolver;
  /** The application's pipes: instances, and the classes of those that are made per request. */
  readonly globalPipes: readonly unknown[];
  readonly faults: DefinitionFault[];
  /** Every name that is known, those of faulty handlers included. */
  readonly names: NamedHandler[];
}

interface HandlerSchemas {
  readonly inputSchema: CompiledSchema;
  readonly outputSchema?: CompiledSchema;
}

/** Makes a handler of a marked method, open to be adjusted. Undefined when it is faulty; all its faults have been reported then. */
export function constructHandler(found: FoundHandler, construction: HandlerConstruction & PipesInForce): ConstructedHandler | undefined {
  const { resolver, faults, names } = construction;
  const { where } = found;
  const written = found.declaration!;
  const declaration = collectFault(faults, () => resolveDeclaration(written, resolver, where));
  const name = declaration?.options.name ?? found.methodName;
  if (declaration) names.push({ kind: declaration.kind, name, where, ...addressOf(declaration) });
  if (written.kind === 'tool' && !(declaration ?? written).options.description?.trim()) {
    faults.push({ where, problem: 'the tool has no description', fix: "Tell the model what it does: @McpTool({ description: '…' })." });
  }
  const compiled = compileSchemas(found, written, construction);
  if (!declaration || !compiled) return undefined;
  faults.push(...checkIcons(declaration.options.icons, where));
  const schemas = declareParamHeaders(compiled, { kind: declaration.kind, name, where }, faults);
  const misplaced = checkAddress(declaration, schemas.inputSchema.json, where);
  faults.push(...misplaced);
  if (misplaced.length > 0) return undefined;
  const descriptor = describeHandler(name, declaration, schemas);
  const cache = collectFault(faults, () => cacheOf(declaration, where));
  return new ConstructedHandler({ kind: declaration.kind, found, descriptor, ...schemas, cache });
}

function compileSchemas(
  found: FoundHandler,
  declaration: HandlerDeclaration,
  construction: HandlerConstruction & PipesInForce,
): HandlerSchemas | undefined {
  const { faults, globalPipes, pipeInForce } = construction;
  const method = { ...found, params: markedParams(found), globalPipes, pipeInForce };
  faults.push(...checkParams(method), ...checkOptionNames(method, declaration));
  const inputSchema = compileInput(method, declaration, faults);
  const output = declaration.kind === 'tool' ? declaration.options.outputSchema : undefined;
  const outputSchema = output && collectFault(faults, () => compileSchema(output, { where: found.where, use: 'output' }));
  if (!inputSchema || (output && !outputSchema)) return undefined;
  return { inputSchema, outputSchema };
}

function cacheOf(declaration: HandlerDeclaration, where: string): ResourceCache | undefined {
  const isRead = declaration.kind === 'resource' || declaration.kind === 'resource-template';
  return isRead && declaration.options.cache ? resourceCache(declaration.options.cache, where) : undefined;
}

function addressOf(declaration: HandlerDeclaration): { address?: string; shape?: string } {
  switch (declaration.kind) {
    case 'tool':
    case 'prompt':
      return {};
    case 'resource':
      return { address: declaration.options.uri };
    case 'resource-template':
      return { address: declaration.options.uriTemplate, shape: shapeOf(declaration.options.uriTemplate) };
  }
}
