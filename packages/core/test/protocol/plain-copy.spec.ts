import * as fc from 'fast-check';
import { plainCopy } from '../../src/protocol/plain-copy.js';

const LEVELS = 128;
const viaText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Values with `undefined` members, negative zeros and odd names among them. */
const values = fc.object({
  values: [
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(-0),
  ],
  key: fc.string().filter((name) => name !== '__proto__' && name !== 'toJSON'),
  maxDepth: 4,
});

describe('the copy of a plain value', () => {
  it('is what its JSON text would give, and detached', () => {
    fc.assert(
      fc.property(values, (value) => {
        const copy = plainCopy(value, LEVELS)!.value;
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
        expect(copy).toEqual(viaText(value));
        expect(copy).not.toBe(value);
      }),
    );
  });

  it('leaves out undefined members, and takes a brand that nobody can list', () => {
    const branded = Object.defineProperty({ a: 1, b: undefined }, Symbol('brand'), { value: true });
    expect(plainCopy(branded, LEVELS)).toEqual({ value: { a: 1 }, size: 8 });
    expect(Object.is((plainCopy([-0], LEVELS)!.value as number[])[0], 0)).toBe(true);
  });

  it('counts about as many characters as its text has', () => {
    const value = { name: 'a text', list: [1, 22, 3.25, true, false, null], inner: { deep: ['x'] } };
    const text = JSON.stringify(value).length;
    expect(Math.abs(plainCopy(value, LEVELS)!.size - text)).toBeLessThan(10);
  });

  class Own {}
  it.each([
    ['NaN', [Number.NaN]],
    ['an infinity', { x: Infinity }],
    ['undefined in an array', [undefined]],
    // eslint-disable-next-line no-sparse-arrays
    ['a hole', [1, , 2]],
    ['a BigInt', { x: 1n }],
    ['a function', { x: () => 1 }],
    ['a date', { x: new Date(0) }],
    ['bytes', Buffer.from('x')],
    ['a map', new Map()],
    ['an instance of a class', new Own()],
    ['a form of its own', { toJSON: () => 1 }],
    ['a symbol for a key', { [Symbol('x')]: 1 }],
    ['a key that is a prototype', JSON.parse('{"__proto__":1}') as unknown],
    ['more levels than allowed', { a: { b: { c: {} } } }],
  ])('is not made of %s', (what, value) => {
    expect(plainCopy(value, what === 'more levels than allowed' ? 3 : LEVELS)).toBeUndefined();
  });
});
