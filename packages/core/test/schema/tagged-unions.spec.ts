import { input, accepted, refused } from './support.js';
import { dispatchByTag } from '../../src/schema/tagged-unions.js';
import type { JsonObject } from '../../src/protocol/json.js';

const member = (kind: string, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { size: { type: 'integer', default: 3 }, kind: { const: kind }, ...more },
  required: ['kind'],
});
const holding = (x: JsonObject): JsonObject => ({ type: 'object', properties: { x } });

describe('a union whose members have a tag is checked by its tag', () => {
  test.each(['anyOf', 'oneOf'])('written as %s', (keyword) => {
    expect(dispatchByTag({ [keyword]: [member('a'), member('b')] })).toMatchObject({
      type: 'object',
      discriminator: { propertyName: 'kind' },
    });
  });

  test.each<[string, JsonObject]>([
    ['two members share a tag', { anyOf: [member('a'), member('a')] }],
    ['a tag is optional', { anyOf: [member('a'), { ...member('b'), required: [] }] }],
    ['a member is no object', { anyOf: [member('a'), member('b'), { type: 'null' }] }],
    ['both keywords stand there', { anyOf: [member('a'), member('b')], oneOf: [member('a'), member('c')] }],
    ['the tag is a number', { anyOf: [1, 2].map((tag) => ({ type: 'object', properties: { kind: { const: tag } }, required: ['kind'] })) }],
  ])('but not if %s', (_title, schema) => {
    expect(dispatchByTag(schema)).toEqual(schema);
  });

  test('and accepts what it accepted, unchanged: a union fills in no defaults', async () => {
    const schema = input(holding({ anyOf: [member('a'), member('b')] }));
    expect(await accepted(schema, { x: { kind: 'b' } })).toEqual({ x: { kind: 'b' } });
    expect(await accepted(schema, { x: { kind: 'a', size: 5, other: true } })).toEqual({ x: { kind: 'a', size: 5, other: true } });
  });

  test.each<[string, unknown, string]>([
    ['no tag', {}, 'x.kind'],
    ['another tag', { kind: 'c' }, 'x.kind'],
    ['a tag that every object inherits', { kind: 'constructor' }, 'x.kind'],
    ['a member that does not fit', { kind: 'a', size: 'large' }, 'x.size'],
    ['something that is no object', 'a', 'x'],
  ])('and refuses %s with the same words', async (_title, x, path) => {
    expect(await refused(input(holding({ anyOf: [member('a'), member('b')] })), { x })).toEqual([expect.objectContaining({ path })]);
  });

  test('and an author\'s "discriminator" stays an annotation', async () => {
    const odd = { type: 'object', discriminator: { mapping: { a: 'b' } }, properties: {} };
    expect(await accepted(input(odd), { kind: 1 })).toEqual({ kind: 1 });
  });
});
