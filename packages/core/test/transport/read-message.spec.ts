import * as fc from 'fast-check';
import { readMessage, type IncomingMessage } from '../../src/transport/reading/read-message.js';

const read = (text: string | Buffer, maxJsonDepth = 64): IncomingMessage =>
  readMessage(Buffer.from(text as string), { maxJsonDepth, maxJsonObjects: 250_000 });

function refused(text: string | Buffer, maxJsonDepth?: number): { code: number; members: string[]; id: unknown } {
  const incoming = read(text, maxJsonDepth);
  if (incoming.kind !== 'refused' || !('error' in incoming.response)) throw new Error(`was read as a ${incoming.kind}`);
  return { code: incoming.response.error.code, members: Object.keys(incoming.response), id: incoming.response.id };
}

const nested = (depth: number): string =>
  '{"jsonrpc":"2.0","method":"m","params":{"a":' + '['.repeat(depth - 2) + ']'.repeat(depth - 2) + '}}';

describe('a message', () => {
  it('with an id is a request, as it stands', () => {
    const message = { jsonrpc: '2.0', id: 'a', method: 'm', params: { x: [1, null, { y: 'ü' }] } };
    expect(read(JSON.stringify(message))).toEqual({ kind: 'request', message });
  });

  it('without an id is a notification', () => {
    const message = { jsonrpc: '2.0', method: 'notifications/x' };
    expect(read(JSON.stringify(message))).toEqual({ kind: 'notification', message });
  });

  it.each(['""', '"1"', '0', '-1', '1.0', '1e3', '9007199254740991'])('may have the id %s', (id) => {
    expect(read(`{"jsonrpc":"2.0","id":${id},"method":"m"}`)).toMatchObject({ kind: 'request', message: { id: JSON.parse(id) } });
  });

  it('takes the last of duplicate keys, as JSON.parse does', () => {
    expect(read('{"jsonrpc":"2.0","id":1,"id":2,"method":"a","method":"b"}')).toMatchObject({ message: { id: 2, method: 'b' } });
  });

  it('may have whitespace around it', () => {
    expect(read(' \r\n{"jsonrpc":"2.0","method":"m"}\n').kind).toBe('notification');
  });
});

describe('what is not JSON is -32700 without an id', () => {
  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['whitespace', ' \n'],
    ['text', 'hello'],
    ['a cut object', '{"jsonrpc":"2.0","id":1,"method":"m"'],
    ['an open string', '{"jsonrpc":"2.0","id":1,"method":"m'],
    ['trailing bytes', '{"jsonrpc":"2.0","id":1,"method":"m"}x'],
    ['two messages', '{"jsonrpc":"2.0","id":1,"method":"m"}{"jsonrpc":"2.0","id":2,"method":"m"}'],
    ['single quotes', "{'jsonrpc':'2.0'}"],
    ['a trailing comma', '{"jsonrpc":"2.0",}'],
    ['a comment', '/**/{"jsonrpc":"2.0"}'],
    ['NaN', '{"jsonrpc":"2.0","id":NaN,"method":"m"}'],
    ['UTF-16', Buffer.from('{"jsonrpc":"2.0"}', 'utf16le')],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['overlong UTF-8', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['a raw line break in a string', '{"a":"\n"}'],
  ])('%s', (_case, text) => {
    expect(refused(text)).toEqual({ code: -32700, members: ['jsonrpc', 'error'], id: undefined });
  });
});

describe('what is not a message is -32600', () => {
  it.each<[string, string, unknown]>([
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"m"}]', undefined],
    ['an empty batch', '[]', undefined],
    ['null', 'null', undefined],
    ['a string', '"m"', undefined],
    ['a number', '1', undefined],
    ['an empty object', '{}', undefined],
    ['another jsonrpc', '{"jsonrpc":"1.0","id":1,"method":"m"}', 1],
    ['a number as jsonrpc', '{"jsonrpc":2.0,"id":1,"method":"m"}', 1],
    ['no method', '{"jsonrpc":"2.0","id":1}', 1],
    ['a null method', '{"jsonrpc":"2.0","id":1,"method":null}', 1],
    ['a posted result', '{"jsonrpc":"2.0","id":"r","result":{}}', undefined],
    ['a posted error', '{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"m"}}', undefined],
    ['a request with a result', '{"jsonrpc":"2.0","id":1,"method":"m","result":{}}', 1],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"m"}', undefined],
    ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"m"}', undefined],
    ['a list as id', '{"jsonrpc":"2.0","id":[1],"method":"m"}', undefined],
    ['a boolean as id', '{"jsonrpc":"2.0","id":true,"method":"m"}', undefined],
    ['an id beyond doubles', '{"jsonrpc":"2.0","id":1e400,"method":"m"}', undefined],
    ['an id between integers', '{"jsonrpc":"2.0","id":1.5,"method":"m"}', undefined],
    ['an id that a double would change', '{"jsonrpc":"2.0","id":9007199254740993,"method":"m"}', undefined],
    ['a lone surrogate in the id', '{"jsonrpc":"2.0","id":"\\ud800","method":"m"}', undefined],
    ['a lone surrogate in the method', '{"jsonrpc":"2.0","id":1,"method":"m\\udc00"}', 1],
    ['a list as params', '{"jsonrpc":"2.0","id":1,"method":"m","params":[]}', 1],
    ['a string as params', '{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}', 1],
  ])('%s', (_case, text, id) => {
    const members = id === undefined ? ['jsonrpc', 'error'] : ['jsonrpc', 'id', 'error'];
    expect(refused(text)).toEqual({ code: -32600, members, id });
  });
});

describe('nesting', () => {
  it('is allowed up to the limit and refused beyond it, before anything is parsed', () => {
    expect(read(nested(64)).kind).toBe('notification');
    expect(refused(nested(65)).code).toBe(-32600);
    expect(refused('['.repeat(65)).code).toBe(-32600);
  });

  it.each([1_000, 100_000, 900_000])('of %i levels is refused', (levels) => {
    expect(refused('{"jsonrpc":"2.0","id":1,"method":"m","params":' + '{"a":'.repeat(levels)).code).toBe(-32600);
  });

  it('does not count brackets in strings', () => {
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'm', params: { a: '[{'.repeat(100), b: '\\"[[[['.repeat(50), 'c\\': '{' } });
    expect(read(text).kind).toBe('notification');
  });

  it('of texts longer than a screen line ends them where they end, escapes or not', () => {
    const piece = fc.constantFrom('\\', '"', '[', '{', 'ü', 'x'.repeat(63), 'x'.repeat(64));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const [first, second] = [pieces.join(''), pieces.toReversed().join('')];
        const text = JSON.stringify({ jsonrpc: '2.0', method: 'm', params: { a: [first, second] } });
        expect(read(text, 3).kind).toBe('notification');
        expect(read(text, 2).kind).toBe('refused');
      }),
    );
  });

  it('counts depth, not brackets', () => {
    expect(read(JSON.stringify({ jsonrpc: '2.0', method: 'm', params: { list: Array.from({ length: 500 }, () => [{}]) } })).kind).toBe(
      'notification',
    );
  });

  it('agrees with what JSON.parse makes of any value', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 8 }), (value, limit) => {
        const message = { jsonrpc: '2.0', method: 'm', params: { value } };
        // Keys that are refused for another reason have their own tests.
        fc.pre(!/__proto__|constructor/.test(JSON.stringify(message)));
        expect(read(JSON.stringify(message), limit).kind).toBe(depthOf(message) > limit ? 'refused' : 'notification');
      }),
      { numRuns: 300 },
    );
  });
});

describe('a key that pollutes prototypes is -32600', () => {
  it.each([
    '"__proto__":{"x":1}',
    '"__proto__":null',
    '"a":{"b":[{"__proto__":1}]}',
    '"\\u005f_proto__":{"x":1}',
    '"\\u005F\\u005fprot\\u006f\\u005f\\u005f":{"x":1}',
    '"constructor":{"prototype":{"x":1}}',
    '"a":[{"constructor":{"prototype":1}}]',
    '"c\\u006fnstructor":{"prototype":{}}',
    '"\\u0063onstructor":{"\\u0070rototype":{}}',
  ])('%s', (member) => {
    expect(refused(`{"jsonrpc":"2.0","id":5,"method":"m","params":{${member}}}`)).toEqual({
      code: -32600,
      members: ['jsonrpc', 'id', 'error'],
      id: 5,
    });
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it.each([
    '"constructor":1',
    '"constructor":{"x":1}',
    '"a":"__proto__"',
    '"a":"constructor"',
    '"prototype":{}',
    '"a":"\\u00fc\\u4e2d"',
    '"a":"\\u0061"',
  ])('unlike %s', (member) => {
    expect(read(`{"jsonrpc":"2.0","id":5,"method":"m","params":{${member}}}`).kind).toBe('request');
  });
});

describe('a number that a double cannot hold is -32600', () => {
  it.each(['1e400', '-1E+400', '1e0000309', '[[{"a":1e999}]]', `1${'0'.repeat(309)}`, `-${'9'.repeat(250)}e99`, `${'1'.repeat(999)}.5`])(
    '%s',
    (number) => {
      expect(refused(`{"jsonrpc":"2.0","id":5,"method":"m","params":{"a":${number}}}`)).toEqual({
        code: -32600,
        members: ['jsonrpc', 'id', 'error'],
        id: 5,
      });
    },
  );

  it.each(['1e308', '1e-400', '1e0000001', '"1e400"', `"${'1'.repeat(999)}"`, `1${'0'.repeat(300)}`, `0.${'1'.repeat(999)}`])(
    'unlike %s',
    (value) => {
      expect(read(`{"jsonrpc":"2.0","id":5,"method":"m","params":{"a":${value}}}`).kind).toBe('request');
    },
  );

  it('in a notification, with nothing to answer to', () => {
    expect(refused('{"jsonrpc":"2.0","method":"m","params":{"a":1e400}}')).toEqual({
      code: -32600,
      members: ['jsonrpc', 'error'],
      id: undefined,
    });
  });

  it('wherever it stands and however it is written', () => {
    const digits = fc.stringMatching(/^[1-9][0-9]{0,340}$/);
    fc.assert(
      fc.property(digits, fc.integer({ min: -20, max: 340 }), fc.nat({ max: 250 }), (mantissa, exponent, pad) => {
        const number = `${mantissa}e${exponent}`;
        const text = `{"jsonrpc":"2.0","method":"m","params":{"${'x'.repeat(pad)}":[${number}]}}`;
        expect(read(text).kind).toBe(Number.isFinite(Number(number)) ? 'notification' : 'refused');
      }),
      { numRuns: 500 },
    );
  });

  it('and looking for one takes no longer than reading the message', () => {
    const text = `{"jsonrpc":"2.0","method":"m","params":{"a":"${`${'1'.repeat(199)}x`.repeat(5_000)}"}}`;
    const before = process.cpuUsage();
    expect(read(text).kind).toBe('notification');
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(200);
  });
});

describe('whatever the bytes', () => {
  const check = (bytes: Uint8Array): void => {
    const incoming = readMessage(Buffer.from(bytes), { maxJsonDepth: 16, maxJsonObjects: 250_000 });
    if (incoming.kind === 'refused') expect(incoming.response).not.toHaveProperty('id', null);
    else expect(incoming.message).toMatchObject({ jsonrpc: '2.0', method: expect.any(String) });
  };

  it('reading never throws, and what is accepted is a message', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), check), { numRuns: 500 });
    fc.assert(
      fc.property(fc.json(), (text) => check(Buffer.from(text))),
      { numRuns: 500 },
    );
  });

  it('every request that JSON can hold is read back as it was', () => {
    const key = fc.string({ unit: 'binary' }).filter((name) => !['__proto__', 'constructor'].includes(name));
    const params = fc.dictionary(key, fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean()));
    const id = fc.oneof(fc.string({ unit: 'grapheme' }), fc.maxSafeInteger());
    fc.assert(
      fc.property(id, fc.string({ unit: 'grapheme' }), params, (requestId, method, value) => {
        const text = JSON.stringify({ jsonrpc: '2.0', id: requestId, method, params: value });
        expect(read(text)).toEqual({ kind: 'request', message: JSON.parse(text) });
      }),
    );
  });
});
