import { methodOf, paramTypesOf } from '../nest/metadata.js';
import { ParamKind, type HandlerDeclaration, type ParamMetadata } from '../decorators/handler-metadata.js';
import type { McpArgData } from '../decorators/mcp-params.decorators.js';
import { DefinitionError, type DefinitionFault, collectFault } from '../errors/definition-fault.js';
import { compileArguments, type ArgumentProperty, type PrimitiveType } from '../schema/arguments-schema.js';
import { compileSchema, type CompileSchemaOptions } from '../schema/compile-schema.js';
import type { CompiledSchema } from '../schema/compiled-schema.js';
import { enumSchema, isEnumObject } from '../schema/enum-values.js';
import type { SchemaSource } from '../schema/schema-source.js';
import type { MarkedMethod } from './check-params.js';
import { isClass } from './find-handlers.js';
import { defaultByPipe, pipedArgument, takesAbsent } from './param-pipes.js';
import type { JsonObject } from '../protocol/json.js';
import { hasJudgingPipe, type PipesInForce } from './judging-pipes.js';

const PRIMITIVES = new Map<unknown, PrimitiveType>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
]);

/** Types that emitted metadata gives when it does not know the real one: none of these may be taken for a schema. */
const UNCERTAIN = new Set<unknown>([Object, Array, Function, Promise, Map, Set, Symbol, Date, undefined]);

/** A handler's method, and the pipes around it. */
export interface InputMethod extends MarkedMethod, PipesInForce {}

/**
 * The input schema of a handler: that of its options, else of its `@McpArgs()` parameter, else of its `@McpArg()` parameters together.
 * Undefined when a parameter's type isn't certain, or the schema cannot be built; `faults` says why.
 */
export function compileInput(method: InputMethod, declaration: HandlerDeclaration, faults: DefinitionFault[]): CompiledSchema | undefined {
  const judge = hasJudgingPipe(method, method) ? ('pipe' as const) : ('framework' as const);
  const compile = { where: method.where, use: 'input' as const, judge };
  const inputSchema = declaration.kind === 'resource' ? undefined : declaration.options.inputSchema;
  const whole = paramsOf(method, ParamKind.Args)[0];
  if (inputSchema) return collectFault(faults, () => (whole ? compileSchema : compileAtOnce)(inputSchema, compile));
  if (whole) return collectFault(faults, () => compileSchema(wholeSource(whole, method), compile));
  const properties = paramsOf(method, ParamKind.Arg).map((param) => collectFault(faults, () => argument(param, method)));
  const sound = properties.filter((property) => property !== undefined);
  return sound.length < properties.length ? undefined : collectFault(faults, () => compileArguments(sound, compile));
}

/** No parameter takes the whole: its DTO is made, and judged, before the parts are handed out. */
function compileAtOnce(source: SchemaSource, options: CompileSchemaOptions): CompiledSchema {
  const schema = compileSchema(source, options);
  return { ...schema, begin: (value) => schema.parse(value), dtos: [] };
}

function paramsOf({ params }: MarkedMethod, kind: number): ParamMetadata[] {
  const found = Object.entries(params).filter(([key]) => key.startsWith(`${kind}:`));
  return found.map(([, param]) => param).toSorted((one, other) => one.index - other.index);
}

function wholeSource(param: ParamMetadata, method: MarkedMethod): SchemaSource {
  if (param.schema) return param.schema as SchemaSource;
  const type = typeOf(param, method);
  if (isClass(type) && !UNCERTAIN.has(type) && !PRIMITIVES.has(type)) return type;
  throw uncertain(param, method, 'Give the parameter a DTO class, or set the schema: @McpTool({ inputSchema }) or @McpArgs({ schema }).');
}

function argument(param: ParamMetadata, method: InputMethod): ArgumentProperty {
  const { name, schema, enum: values, description, required, header, default: fallback } = param.data as McpArgData;
  const type = typeOf(param, method);
  const listed = values ?? (isEnumObject(type) ? type : undefined);
  const pipes = (param.pipes ?? []).map(method.pipeInForce);
  const isStated = schema !== undefined || listed !== undefined;
  // A schema that the author wrote is checked before the pipes; without one, they judge.
  const piped = isStated || pipes.length === 0 ? undefined : pipedArgument(pipes, PRIMITIVES.get(type));
  const source = schema ?? (listed ? enumSchema(listed) : (piped?.source ?? PRIMITIVES.get(type)));
  if (!source) {
    throw uncertain(
      param,
      method,
      `Set its schema: @McpArg('${name}', { schema: … }), with a DTO, a Standard Schema, a raw JSON Schema or 'integer'; for an enum, @McpArg('${name}', { enum: TheEnum }).`,
    );
  }
  const stated = fallback ?? defaultByPipe(pipes, typeof source === 'string' ? source : (source as JsonObject)['type']);
  return {
    name,
    source,
    checked: piped?.checked,
    converted: piped?.converted,
    required: required ?? (stated === undefined && !takesAbsent(pipes) && !hasInitialiser(param, method)),
    description,
    default: stated,
    header,
  };
}

/**
 * Whether the parameter is the first with an initialiser (`limit = 20`): a function's length ends there. Nothing
 * reveals the initialisers of later parameters.
 */
function hasInitialiser({ index }: ParamMetadata, method: MarkedMethod): boolean {
  return methodOf(method).length === index;
}

function typeOf({ index }: ParamMetadata, method: MarkedMethod): unknown {
  return paramTypesOf(method)?.[index];
}

/** Says which of the causes it is that the type of a parameter is not known. */
function uncertain({ index }: ParamMetadata, method: MarkedMethod, fix: string): DefinitionError {
  const types = paramTypesOf(method);
  const { problem, cure } = types === undefined ? NO_METADATA : types[index] === Object ? ONLY_A_TYPE : NOT_A_SCHEMA;
  return new DefinitionError({
    where: method.where,
    problem: `the type of parameter ${index + 1} cannot be determined at run time: ${problem}`,
    fix: `${cure}${fix}`,
  });
}

const NO_METADATA = {
  problem:
    'the method has no type metadata. tsx, esbuild and vitest emit none, and neither do tsc without "emitDecoratorMetadata" and SWC without "decoratorMetadata"',
  cure: 'Compile with tsc and "emitDecoratorMetadata": true in tsconfig.json, or with SWC and "jsc.transform.decoratorMetadata": true (for vitest: unplugin-swc). ',
};
const ONLY_A_TYPE = {
  problem: 'the compiler emitted it as Object. The class is imported with "import type", or the type is an interface, a union or any',
  cure: 'Import a DTO class without "type". ',
};
const NOT_A_SCHEMA = {
  problem: 'it has no schema (an array or another built-in class, or a class that a circular import left undefined)',
  cure: '',
};
