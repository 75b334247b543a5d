import { Equals, IsDateString, IsEmail, IsEnum, IsInt, IsOptional, IsPositive, IsString, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { z } from 'zod';
import { McpField } from '../../src/schema/dto/field-options.js';
import { DefinitionError } from '../../src/errors/definition-fault.js';
import type { JsonObject } from '../../src/protocol/json.js';
import { compileElicitationSchema } from '../../src/schema/elicitation-schema.js';
import type { SchemaSource } from '../../src/schema/schema-source.js';
import { accepted, refused } from './support.js';

const EVERY_FIELD: JsonObject = {
  type: 'object',
  properties: {
    text: { type: 'string', title: 'T', description: 'D', minLength: 1, maxLength: 5, default: 'x' },
    email: { type: 'string', format: 'email' },
    uri: { type: 'string', format: 'uri' },
    date: { type: 'string', format: 'date' },
    moment: { type: 'string', format: 'date-time' },
    number: { type: 'number', minimum: 0, maximum: 1.5, default: 1 },
    integer: { type: 'integer' },
    boolean: { type: 'boolean', default: false },
    choice: { type: 'string', enum: ['a', 'b'] },
    titled: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
    legacy: { type: 'string', enum: ['a'], enumNames: ['A'] },
    choices: { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1, maxItems: 2 },
    titledChoices: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
  },
  required: ['email'],
};

function form(source: SchemaSource): JsonObject {
  return compileElicitationSchema(source, 'Tools.run').json;
}

function field(schema: JsonObject): JsonObject {
  return { type: 'object', properties: { it: schema } };
}

describe('an elicitation', () => {
  test('may ask for every kind of field that the revision has', () => {
    expect(form({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...EVERY_FIELD })).toEqual(EVERY_FIELD);
  });

  test('may be stated as a DTO', async () => {
    enum Size {
      Small = 's',
      Large = 'l',
    }
    class Order {
      @IsEmail() @McpField({ description: 'Where to' }) email!: string;
      @IsEnum(Size) size!: Size;
      @IsInt() @IsPositive() @McpField({ default: 1 }) count!: number;
      @Equals('yes') agreed!: string;
      @IsOptional() @IsDateString() @McpField({ format: 'date' }) day?: string;
      @McpField() gift!: boolean;
    }
    const schema = compileElicitationSchema(Order, 'Tools.run');
    expect(schema.json).toEqual({
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email', description: 'Where to' },
        size: { type: 'string', enum: ['s', 'l'] },
        count: { type: 'integer', minimum: 1, default: 1 },
        agreed: { type: 'string', enum: ['yes'] },
        day: { type: 'string', format: 'date' },
        gift: { type: 'boolean' },
      },
      required: ['email', 'size', 'agreed', 'gift'],
    });
    expect(await accepted(schema, { email: 'a@example.com', size: 's', agreed: 'yes', gift: true })).toBeInstanceOf(Order);
  });

  test('may be stated with zod; what zod adds of its own is not shown, but enforced', async () => {
    const schema = compileElicitationSchema(
      z.strictObject({ to: z.email(), count: z.int().min(1), size: z.enum(['s', 'l']).default('s'), tags: z.array(z.enum(['a', 'b'])) }),
      'Tools.run',
    );
    expect(schema.json).toEqual({
      type: 'object',
      properties: {
        to: { type: 'string', format: 'email' },
        count: { type: 'integer', minimum: 1 },
        size: { type: 'string', enum: ['s', 'l'], default: 's' },
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      },
      required: ['to', 'count', 'tags'],
    });
    expect(await accepted(schema, { to: 'a@example.com', count: 1, tags: [] })).toEqual({
      to: 'a@example.com',
      count: 1,
      size: 's',
      tags: [],
    });
    expect(await refused(schema, { to: 'a@example.com', count: 2 ** 60, tags: [] })).toMatchObject([{ path: 'count' }]);
    expect(await refused(schema, { to: 'a@b.c', count: 1, tags: [] })).toMatchObject([{ path: 'to' }]);
    expect(await refused(schema, { to: 'a@example.com', count: 1, tags: [], more: 1 })).toMatchObject([{ path: '' }]);
  });

  test('is compiled once for one source', () => {
    const source = z.object({ yes: z.boolean() });
    expect(compileElicitationSchema(source, 'Tools.one')).toBe(compileElicitationSchema(source, 'Tools.two'));
  });

  test('shows a form that no one can change', () => {
    expect(Object.isFrozen(form(EVERY_FIELD)['properties'])).toBe(true);
  });
});

describe('an elicitation that goes beyond the flat form is an error that names the field', () => {
  class Inner {
    @IsString() text!: string;
  }
  class Nested {
    @Type(() => Inner) @ValidateNested() it!: Inner;
  }

  test.each<[string, SchemaSource, string]>([
    ['a nested object', field({ type: 'object', properties: {} }), 'the field "it" is of the type "object"'],
    ['a nested class', Nested, 'the field "it" is of the type "object"'],
    ['a nested zod object', z.object({ it: z.object({}) }), 'the field "it" is of the type "object"'],
    ['a nullable field', z.object({ it: z.string().nullable() }), 'the field "it" is of the type ["string","null"]'],
    ['a union', z.object({ it: z.union([z.string(), z.int()]) }), 'the field "it" is a union'],
    ['a reference', { ...field({ $ref: '#/$defs/x' }), $defs: { x: {} } }, '"$defs"'],
    ['a list of free text', z.object({ it: z.array(z.string()) }), 'is a list whose items are not choices'],
    ["the author's pattern", z.object({ it: z.string().regex(/x/) }), 'the field "it" has "pattern"'],
    ["the author's pattern beside a format", z.object({ it: z.email().regex(/x/) }), 'the field "it" has "allOf"'],
    ['a pattern beside a format in raw schema', field({ type: 'string', format: 'email', pattern: 'x' }), 'the field "it" has "pattern"'],
    ['an open bound of a number', z.object({ it: z.number().positive() }), 'the field "it" has "exclusiveMinimum"'],
    ['another format', z.object({ it: z.uuid() }), 'the field "it" has the format "uuid"'],
    ['numbers to choose from', field({ type: 'number', enum: [1] }), 'the field "it" has "enum"'],
    ['choices that are not all strings', field({ type: 'string', enum: ['a', 1] }), 'not all strings'],
    ['choices with more than a title', field({ type: 'string', oneOf: [{ const: 'a', title: 'A', x: 1 }] }), 'titled choices'],
    ['a keyword at the root', { type: 'object', properties: {}, minProperties: 1 }, 'its root has "minProperties"'],
    ['another root', z.array(z.string()), 'its root is not of the type object'],
    ['a field without a schema', { type: 'object', properties: { it: true } }, 'the field "it" has no schema'],
  ])('%s', (_title, source, message) => {
    const compile = (): unknown => compileElicitationSchema(source, 'Tools.run');
    expect(compile).toThrow(message);
    expect(compile).toThrow(/^Tools\.run: .*(A form|A list in a form|A choice in a form) /);
    expect(compile).not.toThrow(DefinitionError);
  });

  test('a schema that cannot be built is a plain error too', () => {
    const compile = (): unknown => compileElicitationSchema(z.object({ at: z.date() }), 'Tools.run');
    expect(compile).toThrow('Date cannot be represented');
    expect(compile).not.toThrow(DefinitionError);
    expect(() => compileElicitationSchema(undefined as never, 'Tools.run')).toThrow('which is not a schema');
  });
});
