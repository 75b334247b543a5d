import type { JsonObject } from '../../src/protocol/json.js';
import { checksPerValue, checkRiskOf } from '../../src/schema/check-risk.js';

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const union = (count: number, member: (index: number) => JsonObject): JsonObject => ({
  anyOf: Array.from({ length: count }, (_, index) => member(index)),
});

describe('the checks that one value can need are counted', () => {
  test.each<[string, JsonObject, number]>([
    ['one for each value of a plain schema', object({ a: { type: 'string' }, b: object({ c: { type: 'number' } }) }), 1],
    ['one more for each member of a union', object({ a: union(40, () => ({ type: 'string' })) }), 41],
    ['the product of unions inside unions', object({ a: union(30, () => object({ b: union(30, () => ({ type: 'null' })) })) }), 930],
    ['only what applies to the same property', object({ a: union(5, (index) => object({ [`p${index}`]: { type: 'null' } })) }), 6],
    ['items of every kind', { type: 'array', prefixItems: [union(3, () => ({}))], items: union(4, () => ({})) }, 9],
    ['properties without a name', { additionalProperties: union(7, () => ({})) }, 8],
    [
      'each condition',
      Object.fromEntries([...['if', 'then', 'else', 'not'].map((keyword) => [keyword, {}]), ['allOf', [{}, {}]]]) as JsonObject,
      7,
    ],
    ['through references', { ...object({ a: { $ref: '#/$defs/a' } }), $defs: { a: union(3, () => ({})) } }, 5],
  ])('%s', (_title, schema, expected) => {
    expect(checksPerValue(schema)).toBe(expected);
  });

  test.each<[string, JsonObject]>([
    ['a schema that refers to itself', object({ next: { $ref: '#' } })],
    ['a reference that may lead anywhere', object({ next: { $ref: '#anchor' } })],
    [
      'unions so deep that counting them takes too long',
      Array.from({ length: 12 }).reduce<JsonObject>((inner) => union(8, () => inner), {}),
    ],
  ])('and have no bound in %s', (_title, schema) => {
    expect(checksPerValue(schema)).toBe(Infinity);
  });
});

describe('the watchdog', () => {
  test('leaves a schema without alternatives alone, whatever the size', () => {
    expect(checkRiskOf(object({ a: { type: 'string' }, $ref: { type: 'string' } })).checkAbove).toBeGreaterThanOrEqual(10_000_000);
  });

  test('watches a union for a value that is large for it, and not for a small one', () => {
    const risk = checkRiskOf(object({ a: { type: 'array', items: union(40, () => ({ type: 'null' })) } }));
    expect(risk.checkAbove).toBeGreaterThanOrEqual(1_000);
    expect(risk.checkAbove).toBeLessThan(100_000);
  });

  test('watches a library that reads a large value again, whatever the schema', () => {
    const risk = checkRiskOf(object({ a: { type: 'string' } }));
    expect(risk.rereadAbove).toBeGreaterThanOrEqual(10_000);
    expect(risk.rereadAbove).toBeLessThan(100_000);
  });

  test.each([object({ next: { $ref: '#' } }), object({ word: { pattern: '^(a+)+$' } }), object({ word: { format: 'regex' } })])(
    'watches every value for %j',
    (schema) => {
      expect(checkRiskOf(schema).checkAbove).toBeLessThan(1);
      expect(checkRiskOf(schema).rereadAbove).toBeLessThan(1);
    },
  );
});
