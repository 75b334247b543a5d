import type { JsonObject, JsonValue } from '../../protocol/json.js';

/** A class-validator rule, translated to JSON Schema. */
export interface RuleKeywords {
  readonly keywords: JsonObject;
  /** Whether the keywords refuse all that the rule refuses. If not, class-validator checks the instance too. */
  readonly whole: boolean;
}

/** Turns a rule's arguments into keywords. */
export type RuleReader = (args: readonly unknown[]) => RuleKeywords;

/** The keywords say all that the rule says. */
export function whole(keywords: JsonObject): RuleKeywords {
  return { keywords, whole: true };
}

/** The keywords say part of it; class-validator has to check the rest. */
export function partly(keywords: JsonObject): RuleKeywords {
  return { keywords, whole: false };
}

/** JSON Schema can't express the rule, not even approximately: only class-validator checks it. */
export const unstated: RuleKeywords = { keywords: {}, whole: false };

/** Whether a value is one that JSON holds and `===` compares: what `@IsIn`, `@Equals` and their like can be given. */
export function isJsonPrimitive(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** The `type` that all of the values have, if they have one. */
export function typeOfAll(values: readonly JsonValue[]): JsonObject {
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  const [only] = types;
  return types.size === 1 && only !== undefined ? { type: only } : {};
}
