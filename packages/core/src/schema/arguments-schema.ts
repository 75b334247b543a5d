import { defined, isJsonObject, isRecord, type JsonObject, type JsonValue } from '../protocol/json.js';
import { compilePlan } from './compile-schema.js';
import type { CompiledSchema, PendingDto, SchemaIssue, SchemaResult } from './compiled-schema.js';
import { boundIssues } from './schema-issues.js';
import { planSchema } from './plan-schema.js';
import type { CompileSchemaOptions, SchemaPlan } from './schema-plan.js';
import type { SchemaSource } from './schema-source.js';
import { escapePointer, relocateReferences } from './schema-walk.js';

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
  const pending = planned.flatMap(pendingDto);
  const isPlain = planned.every(({ plan }) => plan.finish === undefined);
  const converted = new Map(properties.flatMap(({ name, converted: type }) => (type ? [[name, type]] : [])));
  return compilePlan(
    {
      json: objectOf(planned, 'json'),
      checked: objectOf(planned, 'checked'),
      rereads: rereadsOf(planned),
      complete: planned.some(({ plan }) => plan.complete !== undefined) ? (copy) => completeAll(planned, copy) : undefined,
      begin: pending.length > 0 ? (copy) => finishAll(planned, copy, { keepDtos: true }) : undefined,
      finish: isPlain ? knownAlone(planned) : (copy) => finishAll(planned, copy, { keepDtos: false }),
      pending,
      converted: converted.size > 0 ? converted : undefined,
    },
    options.where,
  );
}

function pendingDto({ name, plan }: PlannedProperty): PendingDto[] {
  const { dto, finish } = plan;
  if (dto === undefined || finish === undefined) return [];
  const named = (result: SchemaResult): SchemaResult => (result.ok ? result : { ok: false, issues: boundIssues(issuesOf(name, result)) });
  const finishNamed = (plain: unknown): SchemaResult | Promise<SchemaResult> => {
    const result = finish(plain);
    return result instanceof Promise ? result.then(named) : named(result);
  };
  return [{ name, owner: dto, finish: finishNamed }];
}

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

function rereadsOf(planned: readonly PlannedProperty[]): SchemaPlan['rereads'] {
  const all = planned.map(({ plan }) => plan.rereads);
  return all.includes('always') ? 'always' : all.find((rereads) => rereads !== undefined);
}

function planPrimitive(type: PrimitiveType): SchemaPlan {
  return { json: { type }, checked: { type } };
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

function completeAll(planned: readonly PlannedProperty[], copy: unknown): SchemaResult {
  const members = membersOf(copy);
  const issues: SchemaIssue[] = [];
  for (const { name, plan } of planned) {
    if (plan.complete === undefined || !Object.hasOwn(members, name)) continue;
    issues.push(...issuesOf(name, plan.complete(members[name])));
  }
  return issues.length > 0 ? { ok: false, issues: boundIssues(issues) } : { ok: true, value: members };
}

/** Leaves out what has no parameter, where nothing is to be made of the others. */
function knownAlone(planned: readonly PlannedProperty[]): (copy: unknown) => SchemaResult {
  return (copy) => {
    const values: [string, unknown][] = [];
    for (const { name } of planned) if (isJsonObject(copy) && Object.hasOwn(copy, name)) values.push([name, copy[name]]);
    // fromEntries defines: a parameter named `__proto__` stays data.
    return { ok: true, value: Object.fromEntries(values) };
  };
}

function finishAll(
  planned: readonly PlannedProperty[],
  copy: unknown,
  { keepDtos }: { readonly keepDtos: boolean },
): SchemaResult | Promise<SchemaResult> {
  const members = membersOf(copy);
  const names: string[] = [];
  const results: (SchemaResult | Promise<SchemaResult>)[] = [];
  let waits = false;
  for (const { name, plan, finishesAbsent } of planned) {
    const isThere = Object.hasOwn(members, name);
    if (!isThere && !finishesAbsent) continue;
    const value = isThere ? members[name] : undefined;
    const isDone = plan.finish === undefined || (keepDtos && plan.dto !== undefined);
    const result = isDone ? { ok: true as const, value } : plan.finish(value);
    waits ||= result instanceof Promise;
    names.push(name);
    results.push(result);
  }
  return waits
    ? Promise.all(results.map((result) => Promise.resolve(result))).then((settled) => gather(names, settled))
    : gather(names, results as SchemaResult[]);
}

/** All values by name, or all issues. */
function gather(names: readonly string[], results: readonly SchemaResult[]): SchemaResult {
  const issues: SchemaIssue[] = [];
  const values: [string, unknown][] = [];
  for (const [index, name] of names.entries()) {
    const result = results[index]!;
    if (result.ok) values.push([name, result.value]);
    else issues.push(...issuesOf(name, result));
  }
  // fromEntries defines: a parameter named `__proto__` stays data.
  return issues.length > 0 ? { ok: false, issues: boundIssues(issues) } : { ok: true, value: Object.fromEntries(values) };
}

/** The issues of one property, named from the arguments down. */
function issuesOf(name: string, result: SchemaResult): SchemaIssue[] {
  return result.ok ? [] : result.issues.map((issue) => under(name, issue));
}

function under(name: string, issue: SchemaIssue): SchemaIssue {
  const joint = issue.path === '' || issue.path.startsWith('[') ? '' : '.';
  return { path: `${name}${joint}${issue.path}`, message: issue.message };
}
