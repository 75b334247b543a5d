import { assertJson, NotJsonError } from '@mocapi/core/internal';

class Point {
  constructor(
    readonly x: number,
    readonly y: number,
  ) {}
}

class Money {
  constructor(readonly cents: number) {}

  toJSON(): string {
    return `${this.cents / 100}`;
  }
}

function refusal(value: unknown): string {
  try {
    assertJson(value, 'result');
  } catch (error) {
    if (error instanceof NotJsonError) return `${error.path}: ${error.found}`;
    throw error;
  }
  return 'taken';
}

const nest = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('assertJson', () => {
  it.each([
    [null],
    [0],
    [''],
    [[1, 'a', null, [true]]],
    [{ a: { b: [] } }],
    [{ left: undefined, out: 1 }],
    [new Point(1, 2)],
    [Object.assign(Object.create(null) as object, { a: 1 })],
    [nest(500)],
  ])('takes %j', (value) => {
    expect(refusal(value)).toBe('taken');
  });

  it('takes one object in two places', () => {
    const shared = { a: [1] };
    expect(refusal([shared, shared, { shared }])).toBe('taken');
  });

  it.each([
    [1n, 'result: a BigInt'],
    [{ content: [{ data: 1n }] }, 'result.content[0].data: a BigInt'],
    [[[undefined]], 'result[0][0]: undefined'],
    // oxlint-disable-next-line no-sparse-arrays -- a hole is the case
    [[1, , 2], 'result[1]: undefined'],
    [undefined, 'result: undefined'],
    [{ 'a-b': { c: Number.NaN } }, 'result["a-b"].c: NaN'],
    [{ f() {} }, 'result.f: a function'],
    [{ s: Symbol('s') }, 'result.s: a symbol'],
    [{ [Symbol('s')]: 1 }, 'result: an object with symbols for keys'],
    [{ at: new Date(0) }, 'result.at: an instance of Date, which has its own toJSON method'],
    [[new Money(5)], 'result[0]: an instance of Money, which has its own toJSON method'],
    [{ m: new Map() }, 'result.m: an instance of Map'],
    [{ s: new Set() }, 'result.s: an instance of Set'],
    [{ e: new Error('x') }, 'result.e: an instance of Error'],
    [
      { b: new Uint8Array(1) },
      'result.b: an instance of Uint8Array; send bytes as base64 text, or with image(), audio() or embeddedResource()',
    ],
    [{ b: Buffer.from('x') }, 'result.b: an instance of Buffer; send bytes as base64 text, or with image(), audio() or embeddedResource()'],
    [{ p: Promise.resolve(1) }, 'result.p: an instance of Promise'],
    [{ r: /x/ }, 'result.r: an instance of RegExp'],
  ])('refuses what JSON would lose: case %#', (value, expected) => {
    expect(refusal(value)).toBe(expected);
  });

  it('refuses a cycle', () => {
    const ring: Record<string, unknown> = { a: {} };
    (ring.a as Record<string, unknown>).back = [ring];
    expect(refusal(ring)).toBe('result.a.back[0]: a reference to an object around it');
  });

  it('refuses what is nested too deeply, long before the stack ends', () => {
    expect(refusal(nest(501))).toContain('nested more than 500 levels deep');
    expect(refusal(nest(100_000))).toContain('nested more than 500 levels deep');
  });

  it('says in its message where and what', () => {
    expect(() => assertJson({ n: 1n }, 'step "sum"')).toThrow(`JSON can't hold step "sum".n: it is a BigInt`);
  });
});
