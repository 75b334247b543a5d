import { fullFormats } from 'ajv-formats/dist/formats.js';
import * as fc from 'fast-check';
import { MAX_REGEX_LENGTH, MAX_SHORT_FORMAT } from '../../src/schema/formats.js';
import { accepted, input, refused } from './support.js';

const schemaOf = (format: string): ReturnType<typeof input> => input({ type: 'object', properties: { x: { type: 'string', format } } });
const url = schemaOf('url');
const isUrl = (x: string): boolean => (url.parse({ x }) as { ok: boolean }).ok;

describe('the format "url"', () => {
  test.each([
    'http://example.com',
    'https://example.com/',
    'ftp://example.com:8080/a?b#c',
    'HTTPS://EXAMPLE.COM',
    'http://8.8.8.8/x',
    'http://user:password@example.com',
    'http://a@b@example.com',
    'http://a/b@example.com',
    'http://ü.example',
    'http://x.co/@',
  ])('is that of %s', (text) => {
    expect(isUrl(text)).toBe(true);
  });

  test.each([
    '',
    'example.com',
    'http://',
    'http://localhost',
    'http://10.0.0.1',
    'http://127.0.0.1',
    'http://192.168.0.1',
    'http://a b.com',
    'http://@example.com',
    'http://example.com:1',
    'gopher://example.com',
    'http://example.com\n',
    'javascript:alert(1)',
    'http://-a.com',
  ])('is not that of %j', (text) => {
    expect(isUrl(text)).toBe(false);
  });

  test('is what ajv-formats takes for one', () => {
    const pieces = fc.constantFrom(
      'a',
      'b-c',
      '.',
      '.com',
      'x.org',
      '@',
      ':',
      ':80',
      '/',
      '8.8.8.8',
      '10.0.0.1',
      ' ',
      'ü',
      '?',
      '#',
      '-',
      '_',
      '\n',
    );
    const texts = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(''));
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(fc.constantFrom('http://', 'https://', 'ftp://a', ''), texts, (scheme, rest) => {
        const text = `${scheme}${rest}`;
        seen[isUrl(text) ? 'yes' : 'no'] += 1;
        expect(isUrl(text)).toBe((fullFormats['url'] as RegExp).test(text));
      }),
      { numRuns: 3_000 },
    );
    expect(seen.yes).toBeGreaterThan(50);
  });

  test('has a name of no more characters than the DNS allows, and a path as long as it likes', () => {
    expect(isUrl(`http://${'a.'.repeat(120)}com`)).toBe(true);
    expect(isUrl(`http://${'a.'.repeat(130)}com`)).toBe(false);
    expect(isUrl(`http://example.com/${'a'.repeat(100_000)}`)).toBe(true);
  });
});

describe('a format that is short by its nature', () => {
  const padded = (length: number): string => `2020-01-01T00:00:00.${'1'.repeat(length - 21)}Z`;

  test('is kept to its length', async () => {
    const schema = schemaOf('date-time');
    await accepted(schema, { x: padded(MAX_SHORT_FORMAT) });
    expect(await refused(schema, { x: padded(MAX_SHORT_FORMAT + 1) })).toEqual([
      { path: 'x', message: 'must have the format "date-time"' },
    ]);
  });

  test('is a regex up to a length that none is written of', async () => {
    await accepted(schemaOf('regex'), { x: 'a'.repeat(MAX_REGEX_LENGTH) });
    await refused(schemaOf('regex'), { x: 'a'.repeat(MAX_REGEX_LENGTH + 1) });
  });

  test('unlike one that carries data', async () => {
    await accepted(schemaOf('uri'), { x: `data:text/plain;base64,${'A'.repeat(500_000)}` });
    await accepted(schemaOf('byte'), { x: 'A'.repeat(500_000) });
  });
});
