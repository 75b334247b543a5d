import type { JsonObject } from '../../src/protocol/json.js';
import { input, refused } from './support.js';

function about(name: string, schema: JsonObject): ReturnType<typeof input> {
  return input({ type: 'object', properties: { [name]: schema } });
}

describe('an issue', () => {
  test.each<[JsonObject, unknown, string]>([
    [{ type: 'string' }, 1, 'must be a string, not a number'],
    [{ type: ['integer', 'null'] }, 'x', 'must be an integer or null, not a string'],
    [{ type: 'boolean' }, [], 'must be true or false, not an array'],
    [{ enum: ['a', 'b', 3] }, 'c', 'must be "a", "b" or 3'],
    [{ const: 'a' }, 'c', 'must be "a"'],
    [{ type: 'string', format: 'date' }, 'x', 'must have the format "date"'],
    [{ type: 'string', pattern: '^a' }, 'x', 'must match the pattern ^a'],
    [{ type: 'string', format: 'email', pattern: '@' }, 'x', 'must have the format "email"'],
    [{ minimum: 3 }, 2, 'must be >= 3'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, 'has the property "ab", whose name must NOT have more than 1 characters'],
    [{ properties: {}, unevaluatedProperties: false }, { ab: 1 }, 'has the unknown property "ab" (none is allowed)'],
    [{ not: {} }, 1, 'must NOT be valid'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'must be a string or null, not a number'],
    [{ anyOf: [{ format: 'date' }, { format: 'date-time' }] }, 'x', 'must have the format "date" or "date-time"'],
    [
      { enum: Array.from({ length: 40 }, (_, n) => n) },
      99,
      `must be ${Array.from({ length: 30 }, (_, n) => n).join(', ')} or one of 10 more`,
    ],
  ])('of %j says what is expected', async (schema, value, message) => {
    expect((await refused(about('it', schema), { it: value })).map((issue) => issue.message)).toEqual([message]);
  });

  test.each<[string, unknown, string]>([
    ['a', 1, 'a'],
    ['a-b', 1, 'a-b'],
    ['a b', 1, '["a b"]'],
    ['a/b~c', 1, '["a/b~c"]'],
    ['a"b', 1, '["a\\"b"]'],
  ])('is found under the key %j', async (name, value, path) => {
    expect(await refused(about(name, { type: 'string' }), { [name]: value })).toMatchObject([{ path }]);
  });

  test('is found in arrays by its index, in objects by its key, even if the key is a number', async () => {
    const schema = about('a', {
      anyOf: [
        { type: 'array', items: { items: { type: 'string' } } },
        { type: 'object', additionalProperties: { type: 'string' } },
      ],
    });
    expect(await refused(schema, { a: [[], ['x', 1]] })).toMatchObject([{ path: 'a[1][1]' }]);
    expect(await refused(schema, { a: { '0': 1 } })).toMatchObject([{ path: 'a["0"]' }]);
  });

  test('never repeats the value', async () => {
    const secret = 's3cret'.repeat(50);
    const schema = input({
      type: 'object',
      properties: { a: { type: 'number' }, b: { enum: ['x'] }, c: { type: 'string', maxLength: 3 }, d: { format: 'date' } },
    });
    expect(JSON.stringify(await refused(schema, { a: secret, b: secret, c: secret, d: secret }))).not.toContain('s3cret');
  });

  test('shortens a long name', async () => {
    const [issue] = await refused(input({ type: 'object', additionalProperties: false }), { ['k'.repeat(5_000)]: 1 });
    expect(issue!.message.length).toBeLessThan(150);
  });
});

describe('the issues of one value', () => {
  const list = about('list', { type: 'array', items: { type: 'string' } });

  test('are all told, up to 20', async () => {
    expect(await refused(list, { list: [1, 2, 3] })).toHaveLength(3);
    expect(await refused(list, { list: Array.from({ length: 100 }, () => 1) })).toHaveLength(20);
  });

  test('are the first one only for a very large value', async () => {
    expect(await refused(list, { list: Array.from({ length: 60_000 }, () => 1) })).toEqual([
      { path: 'list[0]', message: 'must be a string, not a number' },
    ]);
  });

  test('of a union without tags are one', async () => {
    const union = about('it', {
      oneOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
      ],
    });
    expect(await refused(union, { it: {} })).toEqual([{ path: 'it', message: 'must match exactly one schema in oneOf' }]);
  });
});

describe('a value that is not JSON', () => {
  const any = input({ type: 'object' });

  test('is refused if it nests too deep, however deep that is', async () => {
    const nest = (levels: number): unknown => JSON.parse(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    expect(await any.parse(nest(127))).toMatchObject({ ok: true });
    expect(await refused(any, nest(128))).toEqual([{ path: '', message: 'is nested deeper than 128 levels' }]);
    expect(await refused(any, nest(100_000))).toHaveLength(1);
  });

  test('is refused if it is a circle or a bigint', async () => {
    const circle: Record<string, unknown> = {};
    circle['a'] = circle;
    expect(await refused(any, circle)).toMatchObject([{ path: '', message: expect.stringContaining("can't be written as JSON") }]);
    expect(await refused(any, { a: 1n })).toMatchObject([{ path: '', message: expect.stringContaining('BigInt') }]);
  });

  test.each([undefined, null, [], 'x', 1, true])('is refused as arguments: %p', async (value) => {
    expect(await refused(any, value)).toMatchObject([{ path: '' }]);
  });
});
