import type { DefinitionFault } from '../errors/definition-fault.js';
import { isJsonObject } from '../protocol/json.js';
import type { CompiledSchema, SchemaIssue } from '../schema/compiled-schema.js';
import type { HandlerKind } from './handler-definition.js';
import { paramHeaders, refuseParamHeaders, type ParamHeader } from './param-headers.js';

/** The handler from which declared headers are read. */
export interface HeadedHandler {
  readonly kind: HandlerKind;
  readonly name: string;
  readonly where: string;
}

/**
 * The schemas of a handler with the headers that its arguments are repeated in, if it is a tool. An integer that a header repeats must be one that
 * every client can count exactly (MCP transports "Schema extension"), so one beyond that is refused as an argument.
 */
export function declareParamHeaders<S extends { readonly inputSchema: CompiledSchema }>(
  schemas: S,
  handler: HeadedHandler,
  faults: DefinitionFault[],
): S & { readonly paramHeaders?: readonly ParamHeader[] } {
  const { inputSchema } = schemas;
  if (handler.kind !== 'tool') {
    refuseParamHeaders(inputSchema.json, handler.where, faults);
    return schemas;
  }
  const headers = paramHeaders(inputSchema.json, handler, faults);
  const integers = headers.filter(({ type }) => type === 'integer');
  const checked = integers.length > 0 ? withSafeIntegers(inputSchema, integers) : inputSchema;
  return { ...schemas, inputSchema: checked, paramHeaders: headers };
}

function withSafeIntegers(schema: CompiledSchema, integers: readonly ParamHeader[]): CompiledSchema {
  const checked =
    (parse: CompiledSchema['parse']): CompiledSchema['parse'] =>
    (value) => {
      const issues = integers.filter(({ path }) => isUnsafe(valueAt(value, path))).map(({ path }) => unsafe(path));
      return issues.length > 0 ? { ok: false, issues } : parse(value);
    };
  return { ...schema, parse: checked((value) => schema.parse(value)), begin: checked((value) => schema.begin(value)) };
}

/** The value at the end of a chain of properties; undefined where the chain breaks off. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((here, key) => (isJsonObject(here) && Object.hasOwn(here, key) ? here[key] : undefined), value);
}

function isUnsafe(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

function unsafe(path: readonly string[]): SchemaIssue {
  return { path: path.join('.'), message: 'must be an integer from -(2^53 - 1) to 2^53 - 1' };
}
