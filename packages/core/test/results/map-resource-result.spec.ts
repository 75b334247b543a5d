import { mapResourceResult } from '../../src/results/map-resource-result.js';

const READ = { uri: 'app://x', name: 'thing' };
const map = (value: unknown, mimeType?: string) => mapResourceResult(value, { ...READ, ...(mimeType === undefined ? {} : { mimeType }) });

describe('what a resource returns', () => {
  it('as a string is its text', () => {
    expect(map('hello', 'text/plain')).toEqual({
      resultType: 'complete',
      contents: [{ uri: 'app://x', mimeType: 'text/plain', text: 'hello' }],
    });
    expect(map('').contents).toEqual([{ uri: 'app://x', text: '' }]);
  });

  it.each([Buffer.from([1, 2, 255]), new Uint8Array([0, 1, 2, 255]).subarray(1)])('as bytes is a blob of exactly these', (bytes) => {
    expect(map(bytes).contents).toEqual([{ uri: 'app://x', mimeType: 'application/octet-stream', blob: 'AQL/' }]);
  });

  it('as contents is these, completed by what the resource says', () => {
    expect(map({ text: 'x' }, 'text/html').contents).toEqual([{ uri: 'app://x', mimeType: 'text/html', text: 'x' }]);
    expect(map({ uri: 'app://y', mimeType: 'a/b', blob: Buffer.from('x') }).contents).toEqual([
      { uri: 'app://y', mimeType: 'a/b', blob: 'eA==' },
    ]);
  });

  it('as an array of contents is several', () => {
    expect(
      map([
        { uri: 'app://a', text: 'a' },
        { uri: 'app://b', blob: 'eA==' },
      ]).contents,
    ).toEqual([
      { uri: 'app://a', text: 'a' },
      { uri: 'app://b', blob: 'eA==' },
    ]);
  });

  it('as a ReadResourceResult is passed through', () => {
    const result = { contents: [{ uri: 'app://y', text: 'x' }], ttlMs: 5, _meta: { 'example.com/x': 1 } };
    expect(map(result)).toEqual({ resultType: 'complete', ...result });
  });

  it.each([7, true, [], [1, 2], { a: 1 }, { text: 'x', author: 'y' }])('as any other JSON is its text: %j', (value) => {
    expect(map(value).contents).toEqual([{ uri: 'app://x', mimeType: 'application/json', text: JSON.stringify(value) }]);
  });

  it('as JSON has the type that the resource says', () => {
    expect(map({ type: 'Point' }, 'application/geo+json').contents).toEqual([
      expect.objectContaining({ mimeType: 'application/geo+json' }),
    ]);
  });

  it.each([undefined, null, { contents: [] }, { blob: 'not base64!' }, { blob: 'eA=' }, 10n, new Map()])(
    'as nothing, empty contents, a blob that is none or what JSON has not is an error that names it: %p',
    (value) => {
      expect(() => map(value)).toThrow(/thing/);
    },
  );
});
