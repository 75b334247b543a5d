import { Ajv2020 } from 'ajv/dist/2020.js';
import { ArrayUnique, IsArray, IsEmail, IsString } from 'class-validator';
import * as fc from 'fast-check';
import type { JsonObject } from '../../src/protocol/json.js';
import { accepted, input, refused } from './support.js';

const UNIQUE: JsonObject = { type: 'object', properties: { x: { type: 'array', uniqueItems: true } } };

describe('items that must differ', () => {
  const schema = input(UNIQUE);

  test.each([
    ['1 and 1.0', '[1, 1.0]'],
    ['0 and -0', '[0, -0]'],
    ['objects whose keys are in another order', '[{"a": 1, "b": [2]}, {"b": [2], "a": 1}]'],
    ['lists', '[[1, {"a": null}], [1, {"a": null}]]'],
    ['what is written with escapes', '["a", "\\u0061"]'],
    ['keys called __proto__', '[{"__proto__": 1}, {"__proto__": 1}]'],
  ])('are the same if they are %s', async (_title, text) => {
    expect(await refused(schema, { x: JSON.parse(text) })).toEqual([
      { path: 'x', message: 'must NOT have duplicate items (items ## 0 and 1 are identical)' },
    ]);
  });

  test.each([
    ['1 and "1"', '[1, "1"]'],
    ['true and 1', '[true, 1]'],
    ['null and "null" and false', '[null, "null", false, 0, ""]'],
    ['lists in another order', '[[1, 2], [2, 1]]'],
    ['a list and the text of it', '[[1], "[1]", [[1]]]'],
    ['an object and a list', '[{}, [], {"0": 0}, [0]]'],
    ['an object with a null and one without', '[{"a": null}, {}]'],
    ['a key called __proto__ and none', '[{"__proto__": 1}, {}]'],
  ])('differ if they are %s', async (_title, text) => {
    await accepted(schema, { x: JSON.parse(text) });
  });

  test('are the same or not as ajv tells by comparing each with each', () => {
    const fits = new Ajv2020({ strict: false }).compile(UNIQUE);
    const item = fc.oneof(fc.constantFrom(0, 1, '1', 'a', null, true), fc.jsonValue({ maxDepth: 2 }));
    const nested = fc.array(fc.oneof(item, fc.array(item, { maxLength: 2 }), fc.dictionary(fc.constantFrom('a', 'b'), item)), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(nested, (x) => {
        const text = JSON.stringify({ x });
        // ajv compares by calling these, so a key of that name makes it throw.
        fc.pre(!/"(toString|valueOf|constructor)"/.test(text));
        const value = JSON.parse(text) as unknown;
        expect((schema.parse(value) as { ok: boolean }).ok).toBe(fits(value));
      }),
      { numRuns: 1_000 },
    );
  });

  test('are compared with their defaults, as the method gets them', async () => {
    const items = { type: 'object', properties: { a: { default: 1 } } };
    const withDefaults = input({ type: 'object', properties: { x: { type: 'array', uniqueItems: true, items } } });
    expect(await refused(withDefaults, { x: [{}, { a: 1 }] })).toMatchObject([{ path: 'x' }]);
    expect(await accepted(withDefaults, { x: [{}, { a: 2 }] })).toEqual({ x: [{ a: 1 }, { a: 2 }] });
  });

  test('may be the same where the schema says false', async () => {
    await accepted(input({ type: 'object', properties: { x: { uniqueItems: false } } }), { x: [1, 1] });
  });
});

describe('@ArrayUnique', () => {
  const calls = { count: 0 };
  class Plain {
    @IsArray() @IsString({ each: true }) @ArrayUnique() x!: string[];
  }
  class Lowered {
    @IsArray() @IsString({ each: true }) @ArrayUnique((text: string) => ((calls.count += 1), text.toLowerCase())) x!: string[];
  }
  class WithMessage {
    @IsEmail({}, { each: true }) @ArrayUnique({ message: 'one of each' }) x!: string[];
  }

  test('without a function is what the schema says, so class-validator is not asked', () => {
    const result = input(Plain).parse({ x: ['a', 'A'] });
    expect(result).not.toBeInstanceOf(Promise);
    expect(result).toMatchObject({ ok: true });
  });

  test('with a function is left to class-validator, and the function is not called before there is a value', async () => {
    const schema = input(Lowered);
    expect(calls.count).toBe(0);
    expect(await refused(schema, { x: ['a', 'A'] })).toEqual([{ path: 'x', message: "All x's elements must be unique" }]);
    expect(await accepted(schema, { x: ['a', 'b'] })).toEqual({ x: ['a', 'b'] });
  });

  test('beside a rule that class-validator has to check is enforced all the same', async () => {
    const schema = input(WithMessage);
    await accepted(schema, { x: ['a@example.com', 'b@example.com'] });
    expect(await refused(schema, { x: ['a@example.com', 'a@example.com'] })).toMatchObject([{ path: 'x' }]);
  });
});
