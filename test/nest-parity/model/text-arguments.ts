import type { JsonObject, JsonValue } from '@mocapi/core';
import type { Row } from './row.js';

const READS_AS_SOMETHING_ELSE = /^-?\d|^(true|false|null)$/;

/**
 * The arguments as prompts and templates can carry them: as texts. A number or a boolean becomes a text only where the handler's type declares one, since there
 * the text is read back. A text that reads as a number or a boolean may arrive as one, so it is carried only where the type declares a text.
 * @returns undefined where some member cannot be carried
 */
export function asTexts(row: Row, args: JsonObject): Record<string, string> | undefined {
  const entries = Object.entries(args).map(([name, value]) => [name, asText(value, declaredType(row, name))] as const);
  return entries.every((entry): entry is [string, string] => entry[1] !== undefined) ? Object.fromEntries(entries) : undefined;
}

/** The names of all arguments of a row, for the variables of its template; none where texts carry no input of it. */
export function textNames(row: Row): string[] {
  const inputs = Object.values(row.inputs);
  if (!inputs.some(({ args }) => Object.keys(args).length > 0 && asTexts(row, args) !== undefined)) return [];
  const names = inputs.flatMap(({ args }) => Object.keys(args));
  return [...new Set(names)].filter((name) => /^\w+$/.test(name));
}

function asText(value: JsonValue, declared: unknown): string | undefined {
  if (typeof value === 'string') return isText(value, declared) ? value : undefined;
  if (typeof value === 'number') return declared === Number ? String(value) : undefined;
  if (typeof value === 'boolean') return declared === Boolean ? String(value) : undefined;
  return undefined;
}

function isText(value: string, declared: unknown): boolean {
  return declared === String || !READS_AS_SOMETHING_ELSE.test(value);
}

function declaredType({ type, param }: Row, name: string): unknown {
  if (param) return param.name === name ? type : undefined;
  return Reflect.getMetadata('design:type', (type as { prototype: object }).prototype, name);
}
