import { readFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayUnique, IsArray, IsEmail, IsObject, IsString, Matches, ValidateNested } from 'class-validator';
import { z } from 'zod';
import type { JsonObject } from '../../src/protocol/json.js';
import type { SchemaSource } from '../../src/schema/schema-source.js';
import { accepted, input, refused } from './support.js';

/** A mebibyte is what one request may hold. */
const MEBIBYTE = 2 ** 20;
/** What one check may take of the processor; an honest one takes a hundredth. */
const BOUND_MS = 500;
/** A library that reads the value again may take half a second more before it is stopped. */
const FINISH_BOUND_MS = 1_000;

function raw(x: JsonObject): JsonObject {
  return { type: 'object', properties: { x } };
}

/** Other processes make the processor slower for this one, never quicker. */
const MEASUREMENTS = 3;

/**
 * Checks once unmeasured, so that compiling the list of all issues does not count, then tells what the processor took: the least of three checks, if the
 * first took longer than the bound.
 */
async function cost(source: SchemaSource, value: unknown, boundMs = BOUND_MS): Promise<number> {
  const schema = input(source);
  await schema.parse({});
  let least = Infinity;
  for (let time = 0; time < MEASUREMENTS && least >= boundMs; time++) {
    const before = threadMs();
    await schema.parse(value);
    least = Math.min(least, threadMs() - before);
  }
  return least;
}

/** What this thread has had of the processor; those of the collector and the compiler hold nobody up. Where the system does not tell, theirs count too. */
function threadMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  }
}

const many = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => item(index));
const deep = (levels: number, wrap: (inner: unknown) => unknown, core: unknown): unknown =>
  levels === 0 ? core : wrap(deep(levels - 1, wrap, core));

class Tags {
  @IsArray() @IsString({ each: true }) @ArrayUnique() x!: string[];
}
class Addresses {
  @IsEmail({}, { each: true }) @ArrayUnique() x!: string[];
}
class Anything {
  @IsObject() x!: object;
}
class Word {
  @IsEmail() address!: string;
  @Matches(/^(a+)+$/) x!: string;
}
class Leaf {
  @Matches(/^(a|a)*$/, { each: true }) texts!: string[];
}
class Tree {
  @Type(() => Leaf) @ValidateNested({ each: true }) x!: Leaf[];
}

const TREE: JsonObject = {
  type: 'object',
  properties: { x: { $ref: '#/$defs/node' } },
  $defs: {
    node: {
      anyOf: [
        { type: 'object', properties: { next: { $ref: '#/$defs/node' }, tag: { const: 'a' } }, required: ['next', 'tag'] },
        { type: 'object', properties: { next: { $ref: '#/$defs/node' }, tag: { const: 'b' } }, required: ['next', 'tag'] },
        { type: 'null' },
      ],
    },
  },
};
const NESTED_UNIQUE: JsonObject = {
  type: 'object',
  properties: { x: { $ref: '#/$defs/list' } },
  $defs: { list: { type: 'array', uniqueItems: true, items: { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/list' }] } } },
};
/** A union whose members are told apart by their last property. */
const tagged = (count: number, properties: JsonObject, letter: string): JsonObject => ({
  anyOf: many(count, (index) => ({
    type: 'object',
    properties: { ...properties, tag: { const: `${letter}${index}` } },
    required: ['tag'],
  })),
});
const UNION_OF_40 = tagged(40, { a: { type: 'string' } }, 't');
const PADS: JsonObject = { pad: { type: 'string' }, more: { type: 'string' } };
const NESTED_UNIONS = tagged(12, { list: { type: 'array', items: tagged(12, PADS, 'i') } }, 'o');
const UNTAGGED_UNIONS = JSON.parse(JSON.stringify(NESTED_UNIONS).replaceAll('"const":', '"pattern":')) as JsonObject;
/** A document that fits the last member of each union. */
function nestedDocument(size: number): unknown[] {
  const row = { list: many(50, () => ({ pad: 'x', more: 'y', tag: 'i11' })), tag: 'o11' };
  return many(Math.ceil(size / JSON.stringify(row).length), () => row);
}
const AAA = 'a'.repeat(40);

// The patterns here are warned of, as they should be.
beforeAll(() => void jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined));
afterAll(() => jest.restoreAllMocks());

it('is measured by a clock that counts what this thread computes', () => {
  const [before, started] = [threadMs(), process.cpuUsage()];
  while (process.cpuUsage(started).user < 200_000) JSON.parse('[1]');
  expect(threadMs() - before).toBeGreaterThan(100);
});

describe('a value holds the process up no longer than half a second, however hostile it is', () => {
  test.each<[string, SchemaSource, unknown]>([
    ['numbers that must differ', raw({ type: 'array', uniqueItems: true }), many(150_000, (index) => index)],
    ['objects that must differ', raw({ type: 'array', uniqueItems: true }), many(60_000, (index) => ({ a: index, b: [] }))],
    [
      'lists in lists that must differ',
      NESTED_UNIQUE,
      deep(
        60,
        (inner) => [inner, 0],
        many(150_000, (index) => index),
      ),
    ],
    ['tags that must differ', Tags, many(100_000, (index) => `${index}`)],
    ['an exponential pattern', raw({ type: 'string', pattern: '^(a+)+$' }), `${AAA}!`],
    ['an exponential pattern without repetition inside of one', raw({ type: 'string', pattern: '^(a|a)*$' }), `${AAA}!`],
    ['an exponential pattern that looks around', raw({ type: 'string', pattern: '^(?=(a+)+b)' }), AAA],
    ['an exponential pattern that refers back', raw({ type: 'string', pattern: '^(a+)+\\1c$' }), AAA],
    ['a quadratic pattern', raw({ type: 'string', pattern: '\\d+x' }), '1'.repeat(MEBIBYTE)],
    ['a quadratic pattern of a property name', raw({ patternProperties: { '\\d+x': false } }), { ['1'.repeat(MEBIBYTE)]: 0 }],
    ['a pattern of a property name', raw({ propertyNames: { pattern: '^(a+)+$' } }), { [`${AAA}!`]: 0 }],
    ['many texts, each slow for a moment', raw({ items: { pattern: '^(a+)+$|!$' } }), many(10_000, () => `${'a'.repeat(20)}!`)],
    ['many texts and an honest pattern', raw({ items: { pattern: '^[a-z]+(-[a-z]+)*$' } }), many(100_000, () => 'a-b-c-d')],
    ['an exponential pattern of a DTO', Word, `${AAA}!`],
    ['an exponential pattern of a nested DTO', Tree, [{ texts: [`${AAA}!`] }]],
    ['an exponential pattern of zod', z.object({ x: z.string().regex(/^(a+)+$/) }), `${AAA}!`],
    ['a schema that refers to itself in each branch', TREE, deep(60, (next) => ({ next, tag: 'b' }), 1)],
    ['a list of which each item fits no branch', raw({ items: { anyOf: [{ type: 'string' }, { minimum: 1 }] } }), many(45_000, () => 0)],
    ['a list of empty objects that fit no member of a large union', raw({ items: UNION_OF_40 }), many(33_000, () => ({}))],
    ['a list that fits no tag of a large union', raw({ items: UNION_OF_40 }), many(33_000, () => ({ a: '', tag: '' }))],
    [
      'a list that fits no member of a union without tags',
      raw({ items: { anyOf: many(100, (index) => ({ required: [`p${index}`] })) } }),
      many(33_000, () => ({})),
    ],
    ['an honest document of unions inside unions, tags last', raw({ type: 'array', items: NESTED_UNIONS }), nestedDocument(MEBIBYTE)],
    ['a document of unions inside unions without tags', raw({ type: 'array', items: UNTAGGED_UNIONS }), nestedDocument(MEBIBYTE)],
    ['an object of many properties for a DTO', Anything, Object.fromEntries(many(110_000, (index) => [index, 0]))],
    ['objects of many properties for a DTO', Anything, many(20, () => Object.fromEntries(many(4_900, (index) => [index, 0])))],
    ['nulls, among which a number may hide', raw({}), many(200_000, () => null)],
  ])(
    '%s',
    async (_title, source, x) => {
      expect(await cost(source, source === Word ? { address: 'a@example.com', x } : { x })).toBeLessThan(BOUND_MS);
    },
    60_000,
  );

  test('or a second where a library reads it again', async () => {
    const slow = z.object({ x: z.string().regex(/^(?:(a+)+|a+!)$/) });
    expect(await cost(slow, { x: `${AAA}!` })).toBeLessThan(BOUND_MS);
    const inner = z.union(many(12, (index) => z.object({ pad: z.string(), more: z.string(), tag: z.literal(`i${index}`) })));
    const unions = z.object({ x: z.array(z.union(many(12, (index) => z.object({ list: z.array(inner), tag: z.literal(`o${index}`) })))) });
    expect(await cost(unions, { x: nestedDocument(MEBIBYTE) }, FINISH_BOUND_MS)).toBeLessThan(FINISH_BOUND_MS);
    expect(await cost(unions, { x: nestedDocument(20_000) }, FINISH_BOUND_MS)).toBeLessThan(FINISH_BOUND_MS);
    const refined = z.object({ x: z.array(z.string().refine((text) => text !== '')) });
    expect(await cost(refined, { x: many(300_000, () => '') }, FINISH_BOUND_MS)).toBeLessThan(FINISH_BOUND_MS);
    expect(await cost(Addresses, { x: many(90_000, (index) => `${index}@ab.cd`) }, FINISH_BOUND_MS)).toBeLessThan(FINISH_BOUND_MS);
  }, 60_000);
});

const PIECES = [
  'a',
  '1',
  '.',
  '-',
  '/',
  ':',
  '@',
  '%20',
  'a.',
  'a-',
  '1:',
  'a@',
  '::',
  '{a}',
  '{a,',
  '(',
  '(?:',
  ' ',
  'T',
  '\u00ff',
  '~',
  'A=',
];
const BEGINNINGS = ['', 'http://', 'http://a', 'a@', '2020-01-01T00:00:00.', '/', '#/', 'P', 'urn:uuid:'];
const FORMATS = [
  'date',
  'time',
  'date-time',
  'iso-time',
  'iso-date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'json-pointer-uri-fragment',
  'relative-json-pointer',
  'byte',
];

describe('a format is told quickly of a mebibyte of text', () => {
  test.each(FORMATS)(
    '%s',
    (format) => {
      const schema = input(raw({ type: 'string', format }));
      for (const beginning of BEGINNINGS) {
        for (const piece of PIECES) {
          const text = `${beginning}${piece.repeat(MEBIBYTE / 8 / piece.length)}`;
          const before = process.cpuUsage();
          void schema.parse({ x: text });
          void schema.parse({ x: `${text}!` });
          // An eighth of the text: what is quadratic still takes seconds, and a pause of the collector does not.
          if (process.cpuUsage(before).user / 1_000 > 100) throw new Error(`${format} is slow on ${beginning}${piece}`);
        }
      }
    },
    60_000,
  );

  test.each([
    [
      'zod',
      z.object({ x: z.union([z.email(), z.url(), z.uuid(), z.ipv4(), z.ipv6(), z.cidrv6(), z.base64(), z.jwt(), z.iso.datetime()]) }),
    ],
    ['zod, more of it', z.object({ x: z.union([z.iso.duration(), z.emoji(), z.cuid2(), z.ulid(), z.nanoid(), z.e164(), z.base64url()]) })],
  ])(
    'every format of %s',
    async (_library, source) => {
      for (const piece of PIECES) expect(await cost(source, { x: piece.repeat(MEBIBYTE / piece.length) })).toBeLessThan(BOUND_MS);
    },
    60_000,
  );
});

test('an honest document of unions inside unions is accepted', async () => {
  const schema = input(raw({ type: 'array', items: NESTED_UNIONS }));
  await accepted(schema, { x: nestedDocument(300_000) });
}, 60_000);

test('a list of texts that V8 compiles slowly is judged in time', async () => {
  const groups = (index: number): string => `${'('.repeat(8_000 - index)}${')'.repeat(8_000 - index)}`;
  const texts = Array.from({ length: 64 }, (_, index) => groups(index));
  expect(await cost(raw({ type: 'array', items: { type: 'string', format: 'regex' } }), { x: texts })).toBeLessThan(BOUND_MS);
}, 60_000);

describe('a check that was stopped', () => {
  test('is a refusal that says so', async () => {
    expect(await refused(input(raw({ type: 'string', pattern: '^(a+)+$' })), { x: `${AAA}!` })).toEqual([
      { path: '', message: 'takes too long to check: it might fit in too many ways' },
    ]);
  });

  test('leaves the schema as it was', async () => {
    const schema = input(raw({ type: 'string', pattern: '^(b|b)*$' }));
    await refused(schema, { x: `${'b'.repeat(40)}!` });
    expect(await accepted(schema, { x: 'bb' })).toEqual({ x: 'bb' });
    expect(await refused(schema, { x: 'c' })).toEqual([{ path: 'x', message: 'must match the pattern ^(b|b)*$' }]);
  });

  test('tells the first issue where finding all of them takes too long', async () => {
    const schema = input({ ...raw({ type: 'string', pattern: '^(a+)+$' }), required: ['y'] });
    expect(await refused(schema, { x: `${AAA}!` })).toEqual([{ path: 'y', message: 'is required' }]);
  });
});
