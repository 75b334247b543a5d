import { defined, isRecord, type JsonObject, type JsonValue } from '../protocol/json.js';
import { compilePlan } from './compile-schema.js';
import type { CompiledSchema, PendingDto, SchemaIssue, SchemaResult } from './compiled-schema.js';
import { boundIssues } from './schema-issues.js';
import { planSchema } from './plan-schema.js';
import type { CompileSchemaOptions, SchemaPlan } from './schema-plan.js';
import type { SchemaSource } from './schema-source.js';
import { escapePointer, walkSchema } from './schema-walk.js';

/** A JSON type without further keywords. */
export type PrimitiveType = 'string' | 'number' | 'integer' | 'boolean';

/** One parameter that supplies one property of the arguments. */
export interface ArgumentProperty {
  readonly name: string;
  readonly source: SchemaSource | PrimitiveType;
  /** The schema to check instead of `source`: the author's pipes check the value after it. */
  readonly checked?: JsonObject;
  /** The type that the author's pipes must have made of a text. */
  readonly converted?: 'number' | 'boolean';
  /** A property with a default is not required, whatever the value here. */
  readonly required: boolean;
  readonly description?: string;
  readonly default?: JsonValue;
  /** Written into the schema as `x-mcp-header`. */
  readonly header?: string;
}

interface PlannedProperty {
  readonly name: string;
  readonly plan: SchemaPlan;
  readonly required: boolean;
  /** The plan also gets absent values, because the source has its own default. */
  readonly finishesAbsent: boolean;
}

/**
 * Makes one object schema of several parameters. `parse` returns each property's own parsed value. Keys without a
 * parameter are rejected if there is no parameter at all; otherwise they are ignored and left out of the result.
 * @throws DefinitionError as `compileSchema` does, naming the parameter
 */
export function compileArguments(properties: readonly ArgumentProperty[], options: CompileSchemaOptions): CompiledSchema {
  const planned = properties.map((property) => planProperty(property, options));
  return compilePlan(
    {
      json: objectOf(planned, 'json'),
      checked: objectOf(planned, 'checked'),
      ...rereadsOf(planned),
      complete: (copy) => completeAll(planned, membersOf(copy)),
      begin: (copy) => finishAll(planned, membersOf(copy), { keepDtos: true }),
      finish: (copy) => finishAll(planned, membersOf(copy), { keepDtos: false }),
      pending: planned.flatMap(pendingDto),
      converted: new Map(properties.flatMap(({ name, converted }) => (converted ? [[name, converted]] : []))),
    },
    options.where,
  );
}

function pendingDto({ name, plan }: PlannedProperty): PendingDto[] {
  if (plan.dto === undefined) return [];
  const finish = (plain: unknown): SchemaResult | Promise<SchemaResult> => {
    const result = plan.finish(plain);
    return result instanceof Promise ? result.then((settled) => gather([name], [settled], only)) : gather([name], [result], only);
  };
  return [{ name, owner: plan.dto, finish }];
}

/** The value of the one property that was finished. */
const only = (values: readonly unknown[]): unknown => values[0];

function planProperty(property: ArgumentProperty, options: CompileSchemaOptions): PlannedProperty {
  const { name, source } = property;
  const where = `${options.where} (${name})`;
  const plan: SchemaPlan = typeof source === 'string' ? planPrimitive(source) : planSchema(source, { ...options, where });
  const stated = defined({ description: property.description, default: property.default, 'x-mcp-header': property.header });
  const pointer = `/properties/${encodeURIComponent(escapePointer(name))}`;
  const json = { ...relocateReferences(plan.json, pointer), ...structuredClone(stated) };
  const checked = { ...relocateReferences(property.checked ?? plan.checked, pointer), ...structuredClone(stated) };
  return {
    name,
    plan: { ...plan, json, checked },
    required: property.required && json['default'] === undefined,
    finishesAbsent: json['default'] !== undefined,
  };
}

function rereadsOf(planned: readonly PlannedProperty[]): Pick<SchemaPlan, 'rereads'> {
  const all = planned.map(({ plan }) => plan.rereads);
  return all.includes('always') ? { rereads: 'always' } : all.includes('watched') ? { rereads: 'watched' } : {};
}

function planPrimitive(type: PrimitiveType): SchemaPlan {
  return { json: { type }, checked: { type }, finish: (value) => ({ ok: true, value }) };
}

function objectOf(planned: readonly PlannedProperty[], part: 'json' | 'checked'): JsonObject {
  if (planned.length === 0) return { type: 'object', additionalProperties: false };
  const required = planned.filter((property) => property.required).map(({ name }) => name);
  const properties = Object.fromEntries(planned.map(({ name, plan }) => [name, plan[part]]));
  return required.length > 0 ? { type: 'object', properties, required } : { type: 'object', properties };
}

/** The members of a copy that has been checked, so that it is an object. */
function membersOf(copy: unknown): Record<string, unknown> {
  return isRecord(copy) ? copy : {};
}

function completeAll(planned: readonly PlannedProperty[], copy: Record<string, unknown>): SchemaResult {
  const issues = planned.flatMap(({ name, plan }) => {
    const result = plan.complete !== undefined && Object.hasOwn(copy, name) ? plan.complete(copy[name]) : undefined;
    return result === undefined || result.ok ? [] : result.issues.map((issue) => under(name, issue));
  });
  return issues.length > 0 ? { ok: false, issues: boundIssues(issues) } : { ok: true, value: copy };
}

function finishAll(
  planned: readonly PlannedProperty[],
  copy: Record<string, unknown>,
  { keepDtos }: { readonly keepDtos: boolean },
): SchemaResult | Promise<SchemaResult> {
  const present = planned.filter(({ name, finishesAbsent }) => finishesAbsent || Object.hasOwn(copy, name));
  const results = present.map(({ name, plan }) => {
    const value = Object.hasOwn(copy, name) ? copy[name] : undefined;
    return keepDtos && plan.dto !== undefined ? { ok: true as const, value } : plan.finish(value);
  });
  const names = present.map(({ name }) => name);
  // fromEntries defines: a parameter named `__proto__` stays data.
  const collect = (values: readonly unknown[]): unknown => Object.fromEntries(values.map((value, index) => [names[index]!, value]));
  if (results.every(isSettled)) return gather(names, results, collect);
  return Promise.all(results.map((result) => Promise.resolve(result))).then((settled) => gather(names, settled, collect));
}

function isSettled(result: SchemaResult | Promise<SchemaResult>): result is SchemaResult {
  return !(result instanceof Promise);
}

function gather(
  names: readonly string[],
  results: readonly SchemaResult[],
  collect: (values: readonly unknown[]) => unknown,
): SchemaResult {
  const issues = results.flatMap((result, index) => (result.ok ? [] : result.issues.map((issue) => under(names[index]!, issue))));
  if (issues.length > 0) return { ok: false, issues: boundIssues(issues) };
  return { ok: true, value: collect(results.map((result) => (result.ok ? result.value : undefined))) };
}

function under(name: string, issue: SchemaIssue): SchemaIssue {
  const joint = issue.path === '' || issue.path.startsWith('[') ? '' : '.';
  return { path: `${name}${joint}${issue.path}`, message: issue.message };
}

/**
 * Moves a schema inside another one: `#/$defs/X` becomes `#<pointer>/$defs/X`. References below their own `$id` are
 * left alone, and so are anchors: both mean the same everywhere.
 * @returns a copy, without `$schema`, which belongs at the root only
 */
function relocateReferences(json: JsonObject, pointer: string): JsonObject {
  const copy = structuredClone(json);
  delete copy['$schema'];
  if (copy['$id'] !== undefined) return copy;
  for (const { schema, resource } of walkSchema(copy)) {
    if (resource !== copy) continue;
    for (const keyword of ['$ref', '$dynamicRef']) {
      const target = schema[keyword];
      if (target === '#') schema[keyword] = `#${pointer}`;
      else if (typeof target === 'string' && target.startsWith('#/')) schema[keyword] = `#${pointer}${target.slice(1)}`;
    }
  }
  return copy;
}
