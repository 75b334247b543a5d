import type { JsonObject } from '../../src/protocol/json.js';
import { isSchemaSource } from '../../src/schema/compile-schema.js';
import { accepted, faultOf, input, output, refused } from './support.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const EVERY_KEYWORD: JsonObject = {
  $schema: DIALECT,
  $id: 'https://example.com/tool',
  $comment: 'kept',
  type: 'object',
  $defs: { name: { $anchor: 'name', type: 'string', minLength: 1 }, list: { type: 'array', prefixItems: [{ const: 1 }], items: false } },
  properties: {
    name: { $ref: '#name' },
    list: { $ref: '#/$defs/list' },
    region: { type: 'string', 'x-mcp-header': 'Region', default: 'eu' },
    kind: { enum: ['a', 'b'] },
  },
  required: ['name'],
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  allOf: [{ if: { properties: { kind: { const: 'a' } }, required: ['kind'] }, then: { required: ['list'] }, else: true }],
  dependentRequired: { list: ['kind'] },
  patternProperties: { '^x-': {} },
  additionalProperties: false,
};

describe('raw JSON Schema', () => {
  test('is advertised word for word, in a copy that no one can change', () => {
    const source = structuredClone(EVERY_KEYWORD);
    const { json } = input(source);
    expect(json).toEqual(EVERY_KEYWORD);
    expect(JSON.stringify(json)).toBe(JSON.stringify(source));
    source['type'] = 'array';
    expect(json['type']).toBe('object');
    expect(Object.isFrozen(json['properties'])).toBe(true);
  });

  test('is enforced keyword for keyword', async () => {
    const schema = input(EVERY_KEYWORD);
    expect(await accepted(schema, { name: 'x', 'x-more': 1 })).toEqual({ name: 'x', 'x-more': 1, region: 'eu' });
    expect(await refused(schema, { name: '' })).toEqual([{ path: 'name', message: 'must NOT have fewer than 1 characters' }]);
    expect(await refused(schema, { name: 'x', kind: 'a' })).toEqual([{ path: 'list', message: 'is required' }]);
    expect(await refused(schema, { name: 'x', kind: 'b', list: [2] })).toEqual([{ path: 'list[0]', message: 'must be 1' }]);
    expect(await refused(schema, { name: 'x', other: 1 })).toEqual([
      { path: '', message: 'has the unknown property "other" (known: name, list, region and kind)' },
    ]);
  });

  test('may use the same $id in two tools', async () => {
    const one = input({ $id: 'https://example.com/same', type: 'object', properties: { a: { type: 'string' } } });
    const two = input({ $id: 'https://example.com/same', type: 'object', properties: { a: { type: 'number' } } });
    await accepted(one, { a: 'x' });
    await accepted(two, { a: 1 });
    await refused(two, { a: 'x' });
  });

  test('never changes the argument, and keeps an own __proto__ key as data', async () => {
    const argument = JSON.parse('{ "__proto__": { "polluted": true } }') as object;
    const value = (await accepted(input({ type: 'object', properties: { a: { default: 1 } } }), argument)) as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect((value as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.keys(argument)).toEqual(['__proto__']);
  });

  test('takes the format "uuid" for a UUID, not for a URN', async () => {
    const schema = input({ type: 'object', properties: { id: { format: 'uuid' } } });
    const uuid = '0197a1f0-5b1e-7cc0-8f5e-0123456789ab';
    await accepted(schema, { id: uuid });
    await refused(schema, { id: `urn:uuid:${uuid}` });
  });

  test('takes no number that JSON would lose, wherever it is', async () => {
    const schema = input({ type: 'object' });
    expect(await refused(schema, { a: [{ b: Infinity }] })).toEqual([{ path: '', message: `can't be written as JSON (Infinity at "b")` }]);
    expect(await refused(output({}), [null, NaN])).toEqual([{ path: '', message: `can't be written as JSON (NaN at "1")` }]);
    expect(await refused(output({}), -Infinity)).toMatchObject([{ path: '' }]);
    expect(await accepted(schema, { a: null, b: 'null', c: { toJSON: () => null } })).toEqual({ a: null, b: 'null', c: null });
  });

  test('may have any root for output', async () => {
    expect(await accepted(output({ type: ['string', 'null'] }), null)).toBeNull();
    expect(await accepted(output({}), [1])).toEqual([1]);
  });

  test('sees no reference in what is only data', () => {
    const data = { $ref: 'https://example.com/elsewhere' };
    expect(() => input({ type: 'object', properties: { a: { const: data, examples: [data] } }, 'x-data': data })).not.toThrow();
  });
});

describe('raw JSON Schema is refused', () => {
  const nested = (levels: number): JsonObject =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } };
  const wide = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`p${index}`, {}]));

  test.each<[string, JsonObject, string]>([
    ['without "type": "object" at the root', { properties: {} }, 'no "type" at the root'],
    ['with another type at the root', { type: 'array' }, 'the type "array" at the root'],
    ['if it is invalid, naming the place', { type: 'object', properties: { a: { type: 'strin' } } }, 'at #/properties/a/type'],
    ['with a pattern that is none', { type: 'object', properties: { a: { pattern: '(' } } }, 'Invalid regular expression'],
    [
      'with a reference to the network',
      { type: 'object', properties: { a: { $ref: 'https://example.com/x.json' } } },
      '"https://example.com/x.json" at #/properties/a, which points outside of the schema. References are never fetched.',
    ],
    ['with a reference to a file', { type: 'object', properties: { a: { $ref: 'other.json#/x' } } }, 'which points outside of the schema'],
    ['with a reference to nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }, 'which does not exist'],
    ['with a reference to nowhere in an unused definition', { type: 'object', $defs: { a: { $ref: '#none' } } }, 'which does not exist'],
    ['with a $dynamicRef that leaves it', { type: 'object', items: { $dynamicRef: 'https://example.com/#x' } }, '$dynamicRef'],
    ['with a reference to nowhere in a list', { type: 'object', allOf: [{ $ref: '#/$defs/none' }] }, '#/allOf/0, which does not exist'],
    ['with another dialect', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }, 'only supported dialect'],
    ['nested too deep', nested(64), 'nests deeper than 64 schemas'],
    ['made of too many schemas', { type: 'object', properties: wide }, 'more than 5000 subschemas'],
    [
      'with a default that does not fit',
      { type: 'object', properties: { 'a/b%41#c': { type: 'string', default: 1 } } },
      'the default at #',
    ],
    [
      'with a function in it',
      { type: 'object', properties: { a: { default: (() => 1) as never } } },
      'has a function at #/properties/a/default',
    ],
  ])('%s', (_title, schema, problem) => {
    const fault = faultOf(() => input(schema));
    expect(fault.where).toBe('Tools.run');
    expect(fault.problem).toContain(problem);
    expect(fault.fix).not.toBe('');
  });

  test('but not at its bounds', () => {
    expect(() => input(nested(63))).not.toThrow();
  });

  test('if it is a circle', () => {
    const circle: JsonObject = { type: 'object' };
    circle['properties'] = { a: circle };
    expect(faultOf(() => input(circle)).problem).toContain('nested deeper');
  });
});

describe('a schema source', () => {
  class Dto {}

  test.each<[unknown, boolean]>([
    [Dto, true],
    [{ type: 'object' }, true],
    [String, false],
    [Object, false],
    [() => 1, false],
    [null, false],
    ['string', false],
    [[], false],
    [new Dto(), false],
  ])('%p is one: %p', (value, expected) => {
    expect(isSchemaSource(value)).toBe(expected);
  });

  test('that is none is a fault', () => {
    expect(faultOf(() => input(undefined as never)).problem).toBe('its schema is undefined, which is not a schema.');
    expect(faultOf(() => input((() => 1) as never)).fix).toContain('DTO class');
  });
});
