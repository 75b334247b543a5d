import { isJsonObject, type JsonObject, type JsonValue } from '../protocol/json.js';

const MAX_HOPS = 16;

/** The schemas that a property may have: its own, behind `$ref` into `$defs`, and the branches of its unions. Empty when the schema has no such property. */
export function propertySchemas(root: JsonObject, name: string): JsonObject[] {
  const { properties } = root;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return [];
  return branches(properties[name], root, MAX_HOPS);
}

function branches(schema: JsonValue | undefined, root: JsonObject, hops: number): JsonObject[] {
  if (!isJsonObject(schema) || hops === 0) return [];
  const { $ref, anyOf, oneOf, allOf } = schema;
  const referred = typeof $ref === 'string' ? [resolve($ref, root)] : [];
  const inner = [anyOf, oneOf, allOf].flatMap((union) => (Array.isArray(union) ? union : []));
  return [schema, ...[...referred, ...inner].flatMap((branch) => branches(branch, root, hops - 1))];
}

function resolve(reference: string, root: JsonObject): JsonValue | undefined {
  if (!reference.startsWith('#/')) return undefined;
  const steps = reference.slice(2).split('/').map(unescape);
  return steps.reduce<JsonValue | undefined>((at, step) => (isJsonObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), root);
}

function unescape(step: string): string {
  return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
}
