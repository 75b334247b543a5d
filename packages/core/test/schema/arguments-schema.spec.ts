import { Type } from 'class-transformer';
import { IsEmail, IsOptional, IsString, ValidateNested } from 'class-validator';
import { z } from 'zod';
import { compileArguments } from '../../src/schema/arguments-schema.js';
import type { ArgumentProperty } from '../../src/schema/arguments-schema.js';
import type { CompiledSchema } from '../../src/schema/compiled-schema.js';
import { accepted, faultOf, refused } from './support.js';

class Tree {
  @IsString() label!: string;
  @IsOptional() @Type(() => Tree) @ValidateNested() child?: Tree;
}
class Contact {
  @IsEmail() email!: string;
}

function compile(...properties: ArgumentProperty[]): CompiledSchema {
  return compileArguments(properties, { where: 'Tools.run', use: 'input' });
}

describe('several parameters', () => {
  test('make one object schema', () => {
    const schema = compile(
      { name: 'query', source: 'string', required: true, description: 'What to look for' },
      { name: 'limit', source: 'integer', required: true, default: 20 },
      { name: 'deep', source: 'boolean', required: false },
      { name: 'ratio', source: { type: 'number', maximum: 1 }, required: false },
    );
    expect(schema.json).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to look for' },
        limit: { type: 'integer', default: 20 },
        deep: { type: 'boolean' },
        ratio: { type: 'number', maximum: 1 },
      },
      required: ['query'],
    });
  });

  test('are none: then no argument is allowed', async () => {
    const schema = compile();
    expect(schema.json).toEqual({ type: 'object', additionalProperties: false });
    expect(await accepted(schema, {})).toEqual({});
    expect(await refused(schema, { a: 1 })).toEqual([{ path: '', message: 'has the unknown property "a" (none is allowed)' }]);
  });

  test('are parsed each by its own source', async () => {
    const schema = compile(
      { name: 'tree', source: Tree, required: true },
      { name: 'size', source: z.string().transform((text) => text.length), required: true },
      { name: 'limit', source: 'integer', required: false, default: 20 },
      { name: 'absent', source: 'string', required: false },
    );
    const value = (await accepted(schema, { tree: { label: 'a', child: { label: 'b' } }, size: 'four', ignored: 1 })) as { tree: Tree };
    expect(value).toEqual({ tree: { label: 'a', child: { label: 'b' } }, size: 4, limit: 20 });
    expect(value.tree.child).toBeInstanceOf(Tree);
  });

  test('keep references that point into their own source', async () => {
    const raw = { $schema: 'https://json-schema.org/draft/2020-12/schema', $defs: { n: { type: 'number' } }, items: { $ref: '#/$defs/n' } };
    const schema = compile({ name: 'tree', source: Tree, required: false }, { name: 'a/b %', source: raw, required: false });
    expect(await refused(schema, { tree: { label: 'a', child: { label: 1 } }, 'a/b %': ['x'] })).toEqual([
      { path: 'tree.child.label', message: 'must be a string, not a number' },
      { path: '["a/b %"][0]', message: 'must be a number, not a string' },
    ]);
    expect(JSON.stringify(schema.json)).not.toContain('$schema');
  });

  test('answer at once unless a source needs time', async () => {
    expect(compile({ name: 'a', source: 'string', required: true }).parse({ a: 'x' })).toEqual({ ok: true, value: { a: 'x' } });
    const slow = compile({ name: 'to', source: Contact, required: true });
    expect(await refused(slow, { to: { email: 'a@b.c' } })).toEqual([{ path: 'to.email', message: 'email must be an email' }]);
  });

  test("leave a source's own default to the source", async () => {
    let count = 0;
    const schema = compile({ name: 'id', source: z.number().default(() => (count += 1)), required: true });
    expect(schema.json['required']).toBeUndefined();
    const first = (await accepted(schema, {})) as { id: number };
    expect(await accepted(schema, {})).toEqual({ id: first.id + 1 });
  });

  test('may have any name', async () => {
    const schema = compile(
      { name: '__proto__', source: 'string', required: false },
      { name: 'constructor', source: 'string', required: false },
    );
    const value = (await accepted(schema, JSON.parse('{ "__proto__": "a", "constructor": "b" }'))) as object;
    expect(Object.entries(value)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  test('may have any one wrong: the fault names it', () => {
    expect(faultOf(() => compile({ name: 'at', source: z.date(), required: true })).where).toBe('Tools.run (at)');
    expect(faultOf(() => compile({ name: 'n', source: 'integer', required: false, default: 'x' })).problem).toContain('#/properties/n');
  });
});
