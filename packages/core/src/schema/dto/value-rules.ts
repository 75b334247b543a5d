import { isJsonPrimitive, partly, typeOfAll, unstated, whole } from './rule-keywords.js';
import type { RuleKeywords, RuleReader } from './rule-keywords.js';
import { isRecord, type JsonObject } from '../../protocol/json.js';

const number = (keywords: JsonObject = {}): JsonObject => ({ type: 'number', ...keywords });

/** Rules that mean a number. */
const NUMBER_RULES: Readonly<Record<string, RuleReader>> = {
  isNumber: ([options]) => {
    const maxDecimalPlaces = isRecord(options) ? options['maxDecimalPlaces'] : undefined;
    if (maxDecimalPlaces === undefined) return whole(number());
    // `multipleOf: 0.01` stumbles over binary fractions.
    return maxDecimalPlaces === 0 ? whole({ type: 'integer' }) : partly(number());
  },
  isInt: () => whole({ type: 'integer' }),
  min: ([min]) => whole(number({ minimum: Number(min) })),
  max: ([max]) => whole(number({ maximum: Number(max) })),
  isPositive: () => whole(number({ exclusiveMinimum: 0 })),
  isNegative: () => whole(number({ exclusiveMaximum: 0 })),
  isDivisibleBy: ([divisor]) => {
    const isUsable = typeof divisor === 'number' && Number.isInteger(divisor) && divisor > 0;
    return isUsable ? whole(number({ multipleOf: divisor })) : partly(number());
  },
  // Also true of strings; the property's TypeScript type decides.
  isLatitude: () => partly({ minimum: -90, maximum: 90 }),
  isLongitude: () => partly({ minimum: -180, maximum: 180 }),
};

/** Rules of an array as a whole. */
export const ARRAY_RULES: Readonly<Record<string, RuleReader>> = {
  isArray: () => whole({}),
  arrayMinSize: ([min]) => whole({ minItems: Number(min) }),
  arrayMaxSize: ([max]) => whole({ maxItems: Number(max) }),
  arrayNotEmpty: () => whole({ minItems: 1 }),
  // Objects that are equal but not the same are refused by the schema alone. What `@ArrayUnique((o) => o.id)` compares only class-validator knows.
  arrayUnique: ([byFunction]) => (byFunction === false ? whole : partly)({ uniqueItems: true }),
  arrayContains: ([values]) => eachPrimitive(values, (list) => ({ allOf: list.map((value) => ({ contains: { const: value } })) })),
  arrayNotContains: ([values]) => eachPrimitive(values, (list) => ({ not: { contains: { enum: list } } })),
};

/** Rules of an object as a whole. */
export const OBJECT_RULES: Readonly<Record<string, RuleReader>> = {
  isObject: () => whole({ type: 'object' }),
  isNotEmptyObject: ([options]) => {
    const keywords = { type: 'object', minProperties: 1 };
    return isRecord(options) && options['nullable'] === false ? partly(keywords) : whole(keywords);
  },
};

/** Rules of one value that is neither a string nor bound to be one. */
export const VALUE_RULES: Readonly<Record<string, RuleReader>> = {
  ...NUMBER_RULES,
  ...OBJECT_RULES,
  isBoolean: () => whole({ type: 'boolean' }),
  isDate: () => whole({ type: 'string', format: 'date-time' }),
  minDate: () => partly({ type: 'string', format: 'date-time' }),
  maxDate: () => partly({ type: 'string', format: 'date-time' }),
  isEnum: ([, values]) => oneOf(values),
  isIn: ([values]) => oneOf(values),
  isNotIn: ([values]) => eachPrimitive(values, (list) => ({ not: { enum: list } })),
  equals: ([value]) => (isJsonPrimitive(value) ? whole({ ...typeOfAll([value]), const: value }) : unstated),
  notEquals: ([value]) => (isJsonPrimitive(value) ? whole({ not: { const: value } }) : whole({})),
  isDefined: () => whole({}),
  // What it means depends on the type, which is not known yet.
  isNotEmpty: () => whole({}),
  isEmpty: () => unstated,
  isInstance: () => unstated,
};

function oneOf(values: unknown): RuleKeywords {
  return eachPrimitive(values, (list) => ({ ...typeOfAll(list), enum: list }));
}

function eachPrimitive(values: unknown, write: (list: (string | number | boolean | null)[]) => JsonObject): RuleKeywords {
  if (!Array.isArray(values) || values.length === 0 || !values.every(isJsonPrimitive)) return unstated;
  return whole(write([...new Set(values)]));
}
