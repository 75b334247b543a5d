import { isJsonObject } from '../protocol/json.js';
import type { JsonObject, JsonValue } from '../protocol/json.js';
import { sameJson } from './json-copy.js';

/** A schema goes beyond the flat form; the message names the field and what the form allows. */
export class FormFault extends Error {}

const ABOUT = ['title', 'description', 'default'];
/** Keywords that each kind of field may have (MCP client features, "Elicitation": PrimitiveSchemaDefinition). */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['type', ...ABOUT, 'minLength', 'maxLength', 'format', 'enum', 'enumNames', 'oneOf'],
  number: ['type', ...ABOUT, 'minimum', 'maximum'],
  integer: ['type', ...ABOUT, 'minimum', 'maximum'],
  boolean: ['type', ...ABOUT],
  array: ['type', ...ABOUT, 'minItems', 'maxItems', 'items'],
};
const ROOT_KEYWORDS = ['type', 'title', 'description', 'properties', 'required'];
const FORMATS = ['email', 'uri', 'date', 'date-time'];
const ALLOWED = 'A form is one flat object of strings, numbers, integers, booleans, and single or multiple choices among strings.';

/**
 * States a schema in the flat form that `elicitation/create` allows. What is left out says nothing that the form
 * doesn't say already, and is still enforced on the answer: `$schema`, `additionalProperties` at the root (a form has no other
 * fields), and, in a library's schema (`generated`), the pattern with which it realises a format and the bounds of safe integers.
 * @throws FormFault on anything else that the form can't carry
 */
export function toForm(json: JsonObject, generated: boolean): JsonObject {
  const { $schema: _dialect, additionalProperties: _others, ...root } = json;
  if (root['type'] !== 'object') throw new FormFault(`its root is not of the type object. ${ALLOWED}`);
  assertKeywords('its root', { schema: root, allowed: ROOT_KEYWORDS });
  const properties = isJsonObject(root['properties']) ? root['properties'] : {};
  const fields = Object.entries(properties).map(([name, schema]): [string, JsonValue] => [name, toField(name, schema, generated)]);
  return { ...root, properties: Object.fromEntries(fields) };
}

function toField(name: string, schema: JsonValue, generated: boolean): JsonObject {
  if (!isJsonObject(schema)) throw new FormFault(`the field "${name}" has no schema. ${ALLOWED}`);
  const field = simplify(schema, generated);
  const type = field['type'];
  const allowed = typeof type === 'string' && Object.hasOwn(KEYWORDS, type) ? KEYWORDS[type]! : undefined;
  if (allowed === undefined) throw new FormFault(`the field "${name}" is ${kindOf(schema)}. ${ALLOWED}`);
  if (field['format'] !== undefined && !isFormat(field['format'])) {
    throw new FormFault(`the field "${name}" has the format ${JSON.stringify(field['format'])}. A form allows ${FORMATS.join(', ')}.`);
  }
  assertKeywords(`the field "${name}"`, { schema: field, allowed });
  if (type === 'array') assertChoices(name, field['items']);
  if (field['enum'] !== undefined && !isStrings(field['enum']))
    throw new FormFault(`the field "${name}" has choices that are not all strings. ${ALLOWED}`);
  if (field['oneOf'] !== undefined) assertTitled(name, field['oneOf']);
  return field;
}

/** Rewrites what the form can say in other words. */
function simplify(schema: JsonObject, generated: boolean): JsonObject {
  const field = { ...schema };
  if (typeof field['const'] === 'string' && field['enum'] === undefined) {
    field['enum'] = [field['const']];
    delete field['const'];
  }
  if (field['type'] === undefined && isStrings(field['enum'])) field['type'] = 'string';
  if (field['type'] === 'integer') closeBounds(field, generated);
  if (generated && field['type'] === 'string' && isFormat(field['format'])) delete field['pattern'];
  return field;
}

/** Integers above 0 are those from 1. The bounds of safe integers, which a library adds to every integer, are left out. */
function closeBounds(field: JsonObject, generated: boolean): void {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = field;
  if (isInteger(above) && field['minimum'] === undefined) {
    field['minimum'] = above + 1;
    delete field['exclusiveMinimum'];
  }
  if (isInteger(below) && field['maximum'] === undefined) {
    field['maximum'] = below - 1;
    delete field['exclusiveMaximum'];
  }
  if (generated && field['minimum'] === Number.MIN_SAFE_INTEGER) delete field['minimum'];
  if (generated && field['maximum'] === Number.MAX_SAFE_INTEGER) delete field['maximum'];
}

function assertKeywords(what: string, { schema, allowed }: { schema: JsonObject; allowed: readonly string[] }): void {
  const extra = Object.keys(schema).filter((keyword) => !allowed.includes(keyword));
  if (extra.length === 0) return;
  throw new FormFault(`${what} has ${extra.map((keyword) => `"${keyword}"`).join(', ')}. A form allows ${allowed.join(', ')} there.`);
}

function assertChoices(name: string, items: JsonValue | undefined): void {
  const fault = new FormFault(
    `the field "${name}" is a list whose items are not choices. A list in a form has items { type: 'string', enum: [...] } or { anyOf: [{ const, title }] }.`,
  );
  if (items === undefined || !isJsonObject(items)) throw fault;
  const { type, enum: values, anyOf, ...rest } = items;
  if (Object.keys(rest).length > 0) throw fault;
  if (anyOf !== undefined && type === undefined && values === undefined) return assertTitled(name, anyOf);
  if (type !== 'string' || !isStrings(values) || anyOf !== undefined) throw fault;
}

function assertTitled(name: string, choices: JsonValue): void {
  const titled = (choice: JsonValue): boolean =>
    isJsonObject(choice) && sameJson(Object.keys(choice).toSorted(), ['const', 'title']) && isStrings(Object.values(choice));
  if (Array.isArray(choices) && choices.length > 0 && choices.every(titled)) return;
  throw new FormFault(
    `the field "${name}" is a union of values that are not titled choices. A choice in a form is { const: 'value', title: 'What people read' }.`,
  );
}

function isFormat(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && FORMATS.includes(value);
}

function isInteger(value: JsonValue | undefined): value is number {
  return Number.isInteger(value);
}

function isStrings(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((member) => typeof member === 'string');
}

function kindOf(schema: JsonObject): string {
  if (schema['$ref'] !== undefined) return 'a reference';
  if (schema['anyOf'] !== undefined || schema['oneOf'] !== undefined) return 'a union';
  return schema['type'] === undefined ? 'of no type' : `of the type ${JSON.stringify(schema['type'])}`;
}
