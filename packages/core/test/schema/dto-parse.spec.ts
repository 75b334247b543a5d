import { Transform, Type } from 'class-transformer';
import {
  ArrayUnique,
  IsDate,
  IsEmail,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Min,
  registerDecorator,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { McpField } from '../../src/schema/dto/field-options.js';
import type { JsonObject } from '../../src/protocol/json.js';
import { accepted, input, output, refused } from './support.js';

class Inner {
  @IsString() text!: string;
}
class Args {
  @IsString() name!: string;
  @IsInt() @Min(1) @McpField({ default: 10 }) limit!: number;
  @IsOptional() @Type(() => Inner) @ValidateNested() inner?: Inner;
  @IsOptional() @IsObject() meta?: Record<string, unknown>;
}

function IsShouting(calls: unknown[] = []): PropertyDecorator {
  return (prototype, property) => {
    registerDecorator({
      name: 'isShouting',
      target: prototype.constructor,
      propertyName: property as string,
      options: { message: '$property must be in capitals' },
      validator: {
        validate: (value: unknown) => {
          calls.push(value);
          return typeof value === 'string' && value === value.toUpperCase();
        },
      },
    });
  };
}

describe('parsing input for a DTO', () => {
  test('yields an instance, nested ones included', async () => {
    const value = (await accepted(input(Args), { name: 'x', inner: { text: 'y' } })) as Args;
    expect(value).toBeInstanceOf(Args);
    expect(value.inner).toBeInstanceOf(Inner);
  });

  test('answers at once if JSON Schema says all', () => {
    expect(input(Args).parse({ name: 'x' })).toEqual({ ok: true, value: { name: 'x', limit: 10 } });
  });

  test('never changes its argument', async () => {
    const argument = Object.freeze({ name: 'x', inner: Object.freeze({ text: 'y' }) });
    expect(await accepted(input(Args), argument)).toMatchObject({ limit: 10 });
    expect(argument).toEqual({ name: 'x', inner: { text: 'y' } });
  });

  test('fills in a default of its own for each call', async () => {
    class WithList {
      @IsString({ each: true }) @McpField({ default: ['a'] }) list!: string[];
    }
    const schema = input(WithList);
    ((await accepted(schema, {})) as WithList).list.push('b');
    expect(await accepted(schema, {})).toEqual({ list: ['a'] });
  });

  test('keeps the value that the class itself gives', async () => {
    class Initialised {
      @IsInt() page = 1;
    }
    expect(await accepted(input(Initialised), {})).toEqual({ page: 1 });
    expect(await accepted(input(Initialised), { page: 2 })).toEqual({ page: 2 });
  });

  test('keeps keys that the class does not declare', async () => {
    expect(await accepted(input(Args), { name: 'x', extra: 1 })).toEqual({ name: 'x', limit: 10, extra: 1 });
  });

  test('coerces nothing', async () => {
    expect(await refused(input(Args), { name: 1, limit: '5' })).toEqual([
      { path: 'name', message: 'must be a string, not a number' },
      { path: 'limit', message: 'must be an integer, not a string' },
    ]);
  });

  test('allows null where class-validator passes over it, and advertises it', async () => {
    expect(await accepted(input(Args), { name: 'x', inner: null })).toEqual({ name: 'x', inner: null, limit: 10 });
    expect(await refused(input(Args), { name: null })).toEqual([{ path: 'name', message: 'must be a string, not null' }]);
    expect((input(Args).json['properties'] as JsonObject)['inner']).toMatchObject({ type: ['object', 'null'] });
  });

  test('transforms, then has class-validator judge what came of it', async () => {
    class Trimmed {
      @IsString() @IsNotEmpty() @Transform(({ value }) => (value as string).trim()) name!: string;
      @IsOptional() @IsInt() @Type(() => Number) count?: number;
      @IsOptional() @IsString({ each: true }) @Transform(({ value }) => String(value).split(',')) tags?: string[];
    }
    const schema = input(Trimmed);
    expect(await accepted(schema, { name: ' a ', count: '2', tags: 'a,b' })).toEqual({ name: 'a', count: 2, tags: ['a', 'b'] });
    expect(await refused(schema, { name: '   ' })).toEqual([{ path: 'name', message: 'name should not be empty' }]);
    expect(await refused(schema, { name: 'a', count: 'x' })).toEqual([{ path: 'count', message: 'count must be an integer number' }]);
    expect(schema.json['properties']).toEqual({
      name: { type: 'string' },
      count: { type: ['integer', 'null'] },
      tags: {},
    });
  });

  test('refuses null for a nested class without @IsOptional(), and lets it be absent, as class-validator does', async () => {
    class Nest {
      @Type(() => Inner) @ValidateNested() inner!: Inner;
    }
    expect(await accepted(input(Nest), {})).toEqual({});
    expect(await refused(input(Nest), { inner: null })).toEqual([{ path: 'inner', message: 'must be an object, not null' }]);
  });

  test('makes a Date of a moment', async () => {
    class Dated {
      @Type(() => Date) @IsDate() at!: Date;
    }
    const value = (await accepted(input(Dated), { at: '2026-01-02T03:04:05Z' })) as Dated;
    expect(value.at.getTime()).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
    expect(await refused(input(Dated), { at: 'tomorrow' })).toEqual([{ path: 'at', message: 'at must be a Date instance' }]);
  });

  test.each(['__proto__', 'constructor', 'prototype'])('lets no key "%s" through to an instance, at any depth', async (key) => {
    const hostile = (inside: string): string => `"${key}": { "polluted": ${inside} }`;
    const text = `{ "name": "x", ${hostile('1')}, "inner": { "text": "y", ${hostile('2')} }, "meta": { ${hostile('3')}, "list": [{ ${hostile('4')} }] } }`;
    const value = (await accepted(input(Args), JSON.parse(text))) as Args;
    expect(Object.getPrototypeOf(value)).toBe(Args.prototype);
    expect(Object.getPrototypeOf(value.inner)).toBe(Inner.prototype);
    expect(JSON.stringify(value)).not.toContain('polluted');
    expect((value as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('what JSON Schema cannot say in full', () => {
  test('is enforced by class-validator, after the schema', async () => {
    const calls: unknown[] = [];
    class Loud {
      @IsShouting(calls) @McpField({ schema: { type: 'string', minLength: 2 } }) word!: string;
    }
    const schema = input(Loud);
    expect(await accepted(schema, { word: 'HEY' })).toBeInstanceOf(Loud);
    expect(await refused(schema, { word: 'hey' })).toEqual([{ path: 'word', message: 'word must be in capitals' }]);
    expect(await refused(schema, { word: 'h' })).toEqual([{ path: 'word', message: 'must NOT have fewer than 2 characters' }]);
    expect(calls).toEqual(['HEY', 'hey']);
  });

  test('is enforced in nested classes, under their path', async () => {
    class Loud {
      @IsShouting() @McpField({ schema: { type: 'string' } }) word!: string;
    }
    class Holder {
      @Type(() => Loud) @ValidateNested({ each: true }) all!: Loud[];
    }
    expect(await refused(input(Holder), { all: [{ word: 'HEY' }, { word: 'hey' }] })).toEqual([
      { path: 'all[1].word', message: 'word must be in capitals' },
    ]);
  });

  test('is enforced where a format allows more than the decorator', async () => {
    class Mail {
      @IsEmail() to!: string;
    }
    expect(await refused(input(Mail), { to: 'a@b.c' })).toEqual([{ path: 'to', message: 'to must be an email' }]);
  });

  test('is enforced where a condition decides', async () => {
    class Conditional {
      @IsString() kind!: string;
      @ValidateIf((args: Conditional) => args.kind === 'named') @IsString() name?: string;
    }
    expect(await accepted(input(Conditional), { kind: 'other' })).toEqual({ kind: 'other' });
    expect(await refused(input(Conditional), { kind: 'named' })).toEqual([{ path: 'name', message: 'name must be a string' }]);
  });

  test('is enforced where a decorator holds a function', async () => {
    class Item {
      @IsInt() id!: number;
      @IsString() text!: string;
    }
    class List {
      @Type(() => Item) @ValidateNested({ each: true }) @ArrayUnique((item: Item) => item.id) items!: Item[];
    }
    const twice = [
      { id: 1, text: 'a' },
      { id: 1, text: 'b' },
    ];
    expect(await refused(input(List), { items: twice })).toEqual([{ path: 'items', message: "All items's elements must be unique" }]);
  });
});

describe('parsing output for a DTO', () => {
  class Report {
    @Type(() => Date) @IsDate() at!: Date;
    @IsInt() @McpField({ default: 0 }) count!: number;
  }

  test('yields plain JSON, as the client will read it', async () => {
    const report = Object.assign(new Report(), { at: new Date(0), count: 2 });
    const value = await accepted(output(Report), report);
    expect(value).toEqual({ at: '1970-01-01T00:00:00.000Z', count: 2 });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('accepts a plain object as well', async () => {
    expect(await accepted(output(Report), { at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z', count: 0 });
  });

  test('requires what has a default: by the time it is sent, it is there', () => {
    expect(output(Report).json['required']).toEqual(['at', 'count']);
  });

  test('refuses what does not fit', async () => {
    expect(await refused(output(Report), { at: new Date(0), count: 'two' })).toEqual([
      { path: 'count', message: 'must be an integer, not a string' },
    ]);
  });

  test('never changes the instances of a union', async () => {
    class Cat {
      @IsInt() lives!: number;
    }
    class Owner {
      @Type(() => Cat, { discriminator: { property: 'kind', subTypes: [{ name: 'cat', value: Cat }] } }) @ValidateNested() pet!: Cat;
    }
    const owner = Object.assign(new Owner(), { pet: Object.assign(new Cat(), { lives: 9 }) });
    expect(await accepted(output(Owner), owner)).toEqual({ pet: { kind: 'cat', lives: 9 } });
    expect(owner.pet).toEqual({ lives: 9 });
  });
});
