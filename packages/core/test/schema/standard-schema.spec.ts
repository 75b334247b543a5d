import { z } from 'zod';
import { isSchemaSource } from '../../src/schema/compile-schema.js';
import type { SchemaSource } from '../../src/schema/schema-source.js';
import { accepted, faultOf, input, output, refused } from './support.js';

describe('a Standard Schema', () => {
  test('advertises its input side, without $schema', () => {
    const { json } = input(z.object({ n: z.string().transform((text) => text.length) }).describe('Counts'));
    expect(json).toEqual({ type: 'object', properties: { n: { type: 'string' } }, required: ['n'], description: 'Counts' });
  });

  test('advertises its output side for output', () => {
    const { json } = output(z.object({ n: z.number().default(1) }));
    expect(json).toMatchObject({ properties: { n: { type: 'number' } }, required: ['n'], additionalProperties: false });
  });

  test('does not require what has a default, and yields it', async () => {
    const schema = input(z.object({ limit: z.int().default(20), name: z.string() }));
    expect(schema.json['required']).toEqual(['name']);
    expect(await accepted(schema, { name: 'x' })).toEqual({ limit: 20, name: 'x' });
  });

  test('computes a computed default for each call', async () => {
    let count = 0;
    const schema = input(z.object({ id: z.number().default(() => (count += 1)) }));
    const first = (await accepted(schema, {})) as { id: number };
    const second = (await accepted(schema, {})) as { id: number };
    expect(second.id).toBe(first.id + 1);
  });

  test('has the last word: refinements, transformations, and unknown keys are its own', async () => {
    const schema = input(z.object({ word: z.string().refine((word) => word !== 'no', 'must not be no') }).transform(({ word }) => word));
    expect(await accepted(schema, { word: 'yes', extra: 1 })).toBe('yes');
    expect(await refused(schema, { word: 'no' })).toEqual([{ path: 'word', message: 'must not be no' }]);
  });

  test('may answer later', async () => {
    const taken = new Set(['ada']);
    const schema = input(z.object({ users: z.array(z.string().refine(async (name) => !taken.has(name), 'is taken')) }));
    expect(await refused(schema, { users: ['bob', 'ada'] })).toEqual([{ path: 'users[1]', message: 'is taken' }]);
  });

  test('is asked only about what fits its JSON Schema', async () => {
    const seen: unknown[] = [];
    const schema = input(z.object({ n: z.number().refine((n) => seen.push(n) > 0) }));
    await refused(schema, { n: 'x' });
    expect(seen).toEqual([]);
  });

  test('never sees or changes the argument itself', async () => {
    const argument = Object.freeze({ list: Object.freeze(['a']) });
    const schema = input(z.object({ list: z.array(z.string()), more: z.string().default('d') }));
    const value = (await accepted(schema, argument)) as { list: string[] };
    expect(value.list).not.toBe(argument.list);
    expect(argument).toEqual({ list: ['a'] });
  });

  test('of a union of objects is given the type that the root of an input must have', async () => {
    const schema = input(
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a'), n: z.number() }), z.object({ kind: z.literal('b') })]),
    );
    expect(schema.json['type']).toBe('object');
    expect(await accepted(schema, { kind: 'b' })).toEqual({ kind: 'b' });
    expect(await refused(schema, { kind: 'c' })).toEqual([{ path: 'kind', message: 'must be "a" or "b"' }]);
  });

  test('may refer to itself', async () => {
    const Node = z.object({
      value: z.number(),
      get next() {
        return Node.optional();
      },
    });
    expect(await refused(input(Node), { value: 1, next: { value: 'x' } })).toEqual([
      { path: 'next.value', message: 'must be a number, not a string' },
    ]);
  });

  test('is only checked, not run, for output: the author returns what comes after its transformations', async () => {
    const schema = output(z.object({ n: z.string().transform(Number).pipe(z.number()) }));
    expect(await accepted(schema, { n: 5 })).toEqual({ n: 5 });
    expect(await refused(schema, { n: '5' })).toEqual([{ path: 'n', message: 'must be a number, not a string' }]);
  });
});

describe('a Standard Schema that cannot be advertised', () => {
  test('is a fault that gives the fix', () => {
    const fault = faultOf(() => input(z.object({ at: z.date() })));
    expect(fault.where).toBe('Tools.run');
    expect(fault.problem).toContain('zod says: Date cannot be represented in JSON Schema');
    expect(fault.fix).toContain('an ISO string');
  });

  test('is a fault if the library states no JSON Schema', () => {
    const bare = { '~standard': { version: 1, vendor: 'old', validate: (value: unknown) => ({ value }) } } as unknown as SchemaSource;
    expect(isSchemaSource(bare)).toBe(true);
    const fault = faultOf(() => input(bare));
    expect(fault.problem).toContain('old does not provide JSON Schema for it');
    expect(fault.fix).toContain("'~standard'.jsonSchema");
  });

  test('is a fault if its root is no object', () => {
    const fault = faultOf(() => input(z.array(z.string())));
    expect(fault.problem).toContain('the type "array" at the root');
  });

  test('is no fault for output, whose root may be anything', async () => {
    expect(await accepted(output(z.array(z.string())), ['a'])).toEqual(['a']);
  });
});
