import { isJsonObject } from '../protocol/json.js';
import type { JsonObject } from '../protocol/json.js';
import { walkSchema } from './schema-walk.js';

/**
 * Returns the schema with each union whose members have a tag (a required property with its own `const`) rewritten so
 * that ajv reads the tag and checks only that member. It accepts the same values. Otherwise unions inside unions cost
 * the product of their sizes for each value.
 */
export function dispatchByTag(json: JsonObject): JsonObject {
  const copy = structuredClone(json);
  for (const { schema } of walkSchema(copy)) {
    // Here it would be obeyed; in JSON Schema it is an annotation.
    delete schema['discriminator'];
    const members = membersOf(schema);
    const tag = members && tagOf(members);
    if (members === undefined || tag === undefined) continue;
    delete schema['anyOf'];
    // The dispatch looks at objects alone, and would fill in defaults, which a union does not.
    Object.assign(schema, { type: 'object', oneOf: members.map(withoutDefaults), discriminator: { propertyName: tag } });
  }
  return copy;
}

function membersOf({ type, anyOf, oneOf }: JsonObject): JsonObject[] | undefined {
  if (type !== undefined && type !== 'object') return undefined;
  if ((anyOf === undefined) === (oneOf === undefined)) return undefined;
  const members = anyOf ?? oneOf;
  if (!Array.isArray(members) || members.length < 2) return undefined;
  return members.every((member) => isJsonObject(member)) && members.every(({ type: kind }) => kind === 'object') ? members : undefined;
}

function tagOf(members: readonly JsonObject[]): string | undefined {
  const properties = members[0]!['properties'];
  if (!isJsonObject(properties)) return undefined;
  return Object.keys(properties).find((name) => {
    const tags = members.map((member) => tagValue(member, name));
    return tags.every((tag) => typeof tag === 'string') && new Set(tags).size === members.length;
  });
}

function tagValue({ properties, required }: JsonObject, name: string): unknown {
  if (!Array.isArray(required) || !required.includes(name) || !isJsonObject(properties) || !Object.hasOwn(properties, name))
    return undefined;
  const property = properties[name];
  return isJsonObject(property) ? property['const'] : undefined;
}

function withoutDefaults(member: JsonObject): JsonObject {
  for (const { schema } of walkSchema(member)) delete schema['default'];
  return member;
}
