import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../protocol/json.js';
import { walkSchema } from './schema-walk.js';

/** The subschemas that are checked at most to find every issue of one value: each may add errors, which all stay in memory. */
const MAX_CHECKS = 20_000;
const KEYWORD = 'x-mocapi-budget';

/** Thrown out of a check that has used up its budget. */
export class OutOfBudget extends Error {}

let left = 0;

/** Adds to ajv the keyword that `withBudget` puts into every subschema. */
export function useBudget(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: KEYWORD,
    schemaType: 'boolean',
    errors: false,
    compile: () => () => {
      if (--left < 0) throw new OutOfBudget();
      return true;
    },
  });
}

/** Returns the schema with a count of the checks in every subschema. */
export function withBudget(json: JsonObject): JsonObject {
  const copy = structuredClone(json);
  for (const { schema } of walkSchema(copy)) schema[KEYWORD] = true;
  return copy;
}

/** Runs a check of a schema made by `withBudget`. @throws OutOfBudget when it has checked more than 20,000 subschemas */
export function spendBudget<T>(check: () => T): T {
  left = MAX_CHECKS;
  return check();
}
