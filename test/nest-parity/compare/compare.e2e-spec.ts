import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { ACCEPTED, MOST_ACCEPTED } from '../accepted-differences.js';
import { LEFT_OUT } from '../rows/left-out.js';
import { describeValue } from './describe-value.js';
import { differ, type Terms } from './differ.js';
import type { Observation } from './observation.js';
import { missingMeaning, pathOfMessage } from './refusal.js';

class Dto {
  constructor(readonly value: unknown) {}
}

const entered: Observation = {
  passes: [{ received: ['Dto {}'], counts: { guard: 1, 'after work': 1 } }],
  end: { kind: 'answered', answer: { a: 1 } },
  headers: { 'x-cost': '1' },
  httpStatus: 201,
};
const terms: Terms = { leavesEarly: false };
const facets = (seen: Partial<Observation>, how = terms): string[] =>
  differ(entered, { ...entered, ...seen }, how).map(({ facet }) => facet);
const pass = entered.passes[0]!;

describe('the comparison of a route with a handler of MCP', () => {
  it.each([
    ['a class', new Dto(1), { value: 1 }],
    ['another class', new Dto(1), new (class Other extends Dto {})(1)],
    ['undefined', { value: undefined }, {}],
    ['null', { value: null }, { value: undefined }],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a set', new Set([1]), [1]],
    ['a map', new Map([['a', 1]]), { a: 1 }],
    ['minus zero', -0, 0],
    ['a digit', '1', 1],
    ['an object without a prototype', Object.create(null), {}],
  ])('tells %s from what looks like it', (_what, one, other) => {
    expect(describeValue(one)).not.toBe(describeValue(other));
  });

  it('sees what the handler got, how often things ran, the answer, and the headers', () => {
    expect(facets({})).toEqual([]);
    expect(facets({ passes: [{ ...pass, received: ['{}'] }] })).toEqual(['received']);
    expect(facets({ passes: [{ ...pass, counts: { ...pass.counts, guard: 2 } }] })).toEqual(['count guard']);
    expect(facets({ end: { kind: 'answered', answer: { a: 2 } } })).toEqual(['answer']);
    expect(facets({ end: { kind: 'refused', code: undefined, said: ['no'] } })).toEqual(['outcome']);
    expect(facets({ headers: {} })).toEqual(['header x-cost']);
  });

  it('expects of a pass that asks all but what comes after it, and of a task no header of its handler', () => {
    const asked = { ...pass, counts: { guard: 1 } };
    expect(facets({ passes: [asked, pass] })).toEqual([]);
    expect(facets({ passes: [asked] })).toEqual(['count after work']);
    expect(facets({ headers: {} }, { leavesEarly: true })).toEqual([]);
  });

  const refusal = (code: number | undefined, ...said: string[]) => ({ kind: 'refused', code, said }) as const;

  it('wants the messages of a route, and the status of a denial without its reason', () => {
    expect(missingMeaning(refusal(400, 'One', 'Two'), refusal(undefined, 'One; Two'), {})).toEqual([]);
    expect(missingMeaning(refusal(400, 'One', 'Two'), refusal(undefined, 'One'), {})).toEqual(['Two']);
    expect(missingMeaning(refusal(401, 'No token'), refusal(401, 'Unauthorized'), {})).toEqual([]);
    expect(missingMeaning(refusal(401, 'No token'), refusal(403, 'Forbidden'), {})).toHaveLength(2);
    expect(missingMeaning(refusal(500, 'Internal server error'), refusal(undefined, 'secret'), {})).toHaveLength(1);
  });

  it('wants of a schema that it refuses no property that the route takes', () => {
    const route = refusal(400, 'name must be a string', 'lines.0.amount must be an integer number');
    expect(missingMeaning(route, refusal(undefined, 'Invalid arguments for it:\nlines[0].amount: must be an integer'), {})).toEqual([]);
    expect(missingMeaning(route, refusal(undefined, 'Invalid arguments for it:\nother: is required'), {})).toHaveLength(1);
    expect(missingMeaning(route, refusal(undefined, 'Invalid arguments for it:\nn: is required'), { renamed: { n: 'name' } })).toEqual([]);
  });

  it('reads the properties of one parameter from there', () => {
    const wrong = refusal(undefined, 'Invalid arguments for it:\nplace.city: must be a string, not a number');
    expect(missingMeaning(refusal(400, 'city must be a string'), wrong, { param: 'place' })).toEqual([]);
    expect(missingMeaning(refusal(400, 'zip must be a string'), wrong, { param: 'place' })).toHaveLength(1);
    expect(missingMeaning(refusal(400, 'city must be a string'), wrong, {})).toHaveLength(1);
  });

  it.each([
    ['name must be a string', 'name'],
    ['each value in tags must be a string', 'tags'],
    ['property other should not exist', 'other'],
    ['nested property address must be either object or array', 'address'],
    ['lines.each value in nested property lines must be either object or array', 'lines'],
    ['minimal allowed date for when is Thu Jan 01 2026', 'when'],
    ["All tags's elements must be unique", 'tags'],
    ['Nobody knows you', undefined],
    ['Nobody is called Ada', undefined],
    ['Validation failed (numeric string is expected)', undefined],
  ])('reads the property of "%s"', (message, path) => {
    expect(pathOfMessage(message)).toBe(path);
  });
});

describe('the rows', () => {
  const folder = join(import.meta.dirname, '..', 'rows');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('left-out.ts'),
  );
  const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const decorators = [...Object.entries(validator), ...Object.entries(transformer)].flatMap(([name, value]) =>
    typeof value === 'function' && /^[A-Z]/.test(name) ? [name] : [],
  );

  it('use every decorator of class-validator and class-transformer that is not left out for a reason', () => {
    const unused = decorators.filter((name) => !new RegExp(`\\b${name}\\(`).test(text));
    expect(unused.toSorted()).toEqual(Object.keys(LEFT_OUT).toSorted());
  });
});

describe('the list of accepted differences', () => {
  it('is short, has a reason of its own for each entry, and is what the reference says', () => {
    const reference = readFileSync(join(import.meta.dirname, '../../../docs/reference/nest-parity.md'), 'utf8');
    expect(ACCEPTED.length).toBeLessThanOrEqual(MOST_ACCEPTED);
    const table = reference.slice(reference.indexOf('## Accepted differences'));
    const rows = [...table.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, reason, why]) => [reason, why]);
    expect(rows.slice(1)).toEqual(ACCEPTED.map(({ reason, why }) => [reason, why]));
  });
});
