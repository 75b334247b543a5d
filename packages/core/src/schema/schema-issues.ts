import type { ErrorObject } from 'ajv/dist/2020.js';
import { isRecord, type JsonValue } from '../protocol/json.js';
import type { SchemaIssue } from './compiled-schema.js';
import { pointerKeys } from './schema-walk.js';
import { settleUnions } from './union-issues.js';

/** The most issues that are reported for one value. */
export const MAX_ISSUES = 20;
const MAX_LISTED = 30;
const MAX_NAME = 60;

/** Words ajv's errors for a model: the place, and the expected value; at most 20, without repeats. */
export function issuesFromAjv(errors: readonly ErrorObject[], data: unknown): readonly SchemaIssue[] {
  const telling = withoutEchoes(settleUnions(errors));
  const issues = (telling.length > 0 ? telling : errors).map((error) => toIssue(error, data));
  return boundIssues(issues);
}

/** Drops errors that only repeat another one in other words. */
function withoutEchoes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const malformed = new Set(errors.filter((error) => error.keyword === 'format').map((error) => error.instancePath));
  return errors.filter((error) => {
    // These say that a schema below has failed; its own errors stand beside them.
    if (error.keyword === 'if' || error.keyword === 'propertyNames') return false;
    // zod realises each format with a pattern, which no one can read.
    return error.keyword !== 'pattern' || !malformed.has(error.instancePath);
  });
}

/** Drops repeated issues and keeps the first 20. */
export function boundIssues(issues: readonly SchemaIssue[]): readonly SchemaIssue[] {
  const seen = new Map(issues.map((issue) => [`${issue.path}\n${issue.message}`, issue]));
  return [...seen.values()].slice(0, MAX_ISSUES);
}

/** Writes a path into a value: `a.b[0]["odd key"]`. */
export function formatPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => path + pathStep(key, path === ''), '');
}

function pathStep(key: PropertyKey, first: boolean): string {
  if (typeof key === 'number') return `[${key}]`;
  const name = shorten(String(key));
  if (/^[A-Za-z_$][\w$-]*$/.test(name)) return first ? name : `.${name}`;
  return `[${JSON.stringify(name)}]`;
}

function toIssue(error: ErrorObject, data: unknown): SchemaIssue {
  const keys = valueKeys(error.instancePath, data);
  const { params } = error;
  if (error.keyword === 'required') return { path: formatPath([...keys, params['missingProperty']]), message: 'is required' };
  const told = message(error, params);
  if (error.propertyName === undefined) return { path: formatPath(keys), message: told };
  return { path: formatPath(keys), message: `has the property ${quote(error.propertyName)}, whose name ${told}` };
}

/** A pointer's keys, with the steps into arrays as numbers: only the value tells `a.0` from `a[0]`. */
function valueKeys(pointer: string, data: unknown): PropertyKey[] {
  let here = data;
  return pointerKeys(pointer).map((key) => {
    const step = Array.isArray(here) ? Number(key) : key;
    here = isRecord(here) ? here[step] : undefined;
    return step;
  });
}

function message(error: ErrorObject, params: ErrorObject['params']): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${list<string>([params['type']].flat(), 'or', (type) => ARTICLES[type] ?? type)}, not ${typeName(error.data)}`;
    case 'enum':
      return `must be ${list<JsonValue>(params['allowedValues'], 'or', shortJson)}`;
    case 'const':
      return `must be ${shortJson(params['allowedValue'])}`;
    case 'format':
      return `must have the format "${String(params['format'])}"`;
    case 'pattern':
      return `must match the pattern ${String(params['pattern'])}`;
    case 'additionalProperties':
      return unknownProperty(params['additionalProperty'], error);
    case 'unevaluatedProperties':
      return unknownProperty(params['unevaluatedProperty'], error);
    case 'false schema':
      return 'is not allowed';
    default:
      return error.message ?? `must fit "${error.keyword}"`;
  }
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string', number: 'a number', integer: 'an integer', boolean: 'true or false', object: 'an object', array: 'an array',
}; // prettier-ignore

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (typeof value === 'boolean') return 'a boolean';
  return ARTICLES[Array.isArray(value) ? 'array' : typeof value] ?? typeof value;
}

function unknownProperty(name: unknown, error: ErrorObject): string {
  const known = Object.keys(error.parentSchema?.['properties'] ?? {});
  const allowed = known.length === 0 ? 'none is allowed' : `known: ${list(known, 'and', (key) => key)}`;
  return `has the unknown property ${quote(name)} (${allowed})`;
}

function list<T>(items: readonly T[], word: 'and' | 'or', write: (item: T) => string): string {
  const shown = items.slice(0, MAX_LISTED).map(write);
  if (items.length > MAX_LISTED) return `${shown.join(', ')} ${word} one of ${items.length - MAX_LISTED} more`;
  const last = shown.pop() ?? 'nothing';
  return shown.length === 0 ? last : `${shown.join(', ')} ${word} ${last}`;
}

function quote(name: unknown): string {
  return JSON.stringify(shorten(String(name)));
}

function shortJson(value: JsonValue): string {
  return shorten(JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length <= MAX_NAME ? text : `${text.slice(0, MAX_NAME)}…`;
}
