import * as fc from 'fast-check';
import { canonicalJson, fingerprintRequest } from '../../src/replay/slot.js';
import type { InputRequest } from '../../src/protocol/messages.js';

const elicit = (params: Record<string, unknown>): InputRequest => ({ method: 'elicitation/create', params: params as never });

describe('canonical JSON', () => {
  it('is that of the example in RFC 8785 §3.2.2', () => {
    const value = JSON.parse(
      String.raw`{ "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001], "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false] }`,
    ) as unknown;
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts keys by UTF-16 code units, as in RFC 8785 §3.2.3', () => {
    const value = JSON.parse(
      String.raw`{ "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis" }`,
    ) as unknown;
    expect(JSON.parse(canonicalJson(value))).toEqual(value);
    const order = [...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, name]) => name);
    expect(order).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  // RFC 8785 appendix B.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
  ])('writes the number with the bits %s as %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %p', (number) => {
    expect(() => canonicalJson({ number })).toThrow();
  });

  it('of any JSON value reads back as that value', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))));
  });
});

describe('the fingerprint of a request', () => {
  it('is the SHA-256 of its canonical JSON, in hex', () => {
    // sha256('{"method":"roots/list"}')
    expect(fingerprintRequest({ method: 'roots/list' })).toBe('8a7931cec9ffe56ce2719e434e8368950aec7a18858eb664c50b0736dcc9c0f3');
  });

  it('is the same however its keys are ordered, at any depth', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, member]) => [key, shuffled(member)]),
      );
    };
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (params) => {
        expect(fingerprintRequest(elicit(shuffled(params) as never))).toBe(fingerprintRequest(elicit(params)));
      }),
    );
  });

  it.each([
    [{ message: 'a' }, { message: 'b' }],
    [{ a: 1 }, { a: '1' }],
    [{ a: null }, {}],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: [[1], 2] }, { a: [1, [2]] }],
    [{ a: '\ud800' }, { a: '\ud801' }],
    [{ a: '\ud800' }, { a: '\ufffd' }],
    [{ a: 'é' }, { a: 'e\u0301' }],
    [{ ['__proto__']: 1 }, {}],
  ])('tells %j from %j', (one, other) => {
    expect(fingerprintRequest(elicit(one))).not.toBe(fingerprintRequest(elicit(other)));
  });

  it('tells methods apart', () => {
    expect(fingerprintRequest({ method: 'roots/list' })).not.toBe(fingerprintRequest({ method: 'sampling/createMessage' }));
  });
});
