import type { RoutingHeaders } from '../../src/dispatch/exchange.js';
import {
  decodeHeaderValue,
  stripOptionalWhitespace,
  METHOD_HEADER,
  REVISION_HEADER,
  checkNameHeader,
  checkPlainHeader,
} from '../../src/dispatch/routing-headers.js';
import type { RoutedParam } from '../../src/dispatch/routed-param-table.js';
import type { JsonObject } from '../../src/protocol/json.js';

const base64 = (text: string | Buffer): string => `=?base64?${Buffer.from(text as string).toString('base64')}?=`;
const mismatch = (header: string) => expect.objectContaining({ code: -32020, data: { header } });

describe('a header value', () => {
  it.each([
    ['plain', 'echo', 'echo'],
    ['with whitespace around it', ' \t echo \t ', 'echo'],
    ['with whitespace inside', 'a b', 'a b'],
    ['empty', '', ''],
    ['of whitespace alone', ' \t ', ''],
    ['encoded', base64('Hello'), 'Hello'],
    ['encoded beyond ASCII', base64('größe 🙂'), 'größe 🙂'],
    ['encoded with whitespace to keep', base64(' x '), ' x '],
    ['encoded nothing', '=?base64??=', ''],
    ['encoded with whitespace around the sentinel', `  ${base64('x')}\t`, 'x'],
    ['that looks encoded, encoded once more', base64(base64('x')), base64('x')],
    ['a literal that happens to be base64', 'SGVsbG8=', 'SGVsbG8='],
    ['a prefix without suffix', '=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
    ['a suffix without prefix', 'SGVsbG8=?=', 'SGVsbG8=?='],
    ['prefix and suffix that share a question mark', '=?base64?=', '=?base64?='],
    ['a marker in upper case', '=?BASE64?SGVsbG8=?=', '=?BASE64?SGVsbG8=?='],
    ['of another encoding', '=?q?Hello?=', '=?q?Hello?='],
  ])('%s is read', (_case, raw, value) => {
    expect(decodeHeaderValue(raw)).toBe(value);
  });

  it.each([
    ['bad padding', '=?base64?SGVsbG8?='],
    ['too much padding', '=?base64?SGVsbG8==?='],
    ['characters outside the alphabet', '=?base64?SGVs!!!bG8=?='],
    ['the url alphabet', '=?base64?-_-_?='],
    ['whitespace inside', '=?base64?SGVs bG8=?='],
    ['trailing bits', '=?base64?SGVsbG9=?='],
    ['bytes that are not UTF-8', base64(Buffer.from([0xff, 0xfe]))],
    ['a surrogate in UTF-8', base64(Buffer.from([0xed, 0xa0, 0x80]))],
    ['overlong UTF-8', base64(Buffer.from([0xc0, 0xaf]))],
    ['raw characters beyond ASCII', 'größe'],
    ['a control character', 'a\u0001b'],
  ])('with %s is malformed', (_case, raw) => {
    expect(decodeHeaderValue(raw)).toBeUndefined();
  });

  it('is stripped of spaces and tabs alone', () => {
    expect(stripOptionalWhitespace('\u00a0 x\n')).toBe('\u00a0 x\n');
  });
});

describe('MCP-Protocol-Version and Mcp-Method', () => {
  it('agree with the body, whitespace aside', () => {
    expect(() => checkPlainHeader({ 'mcp-protocol-version': ' 2026-07-28\t' }, REVISION_HEADER, '2026-07-28')).not.toThrow();
    expect(() => checkPlainHeader({ 'mcp-method': ' tools/list ' }, METHOD_HEADER, 'tools/list')).not.toThrow();
  });

  it.each<[string, RoutingHeaders]>([
    ['missing', {}],
    ['different', { 'mcp-method': 'tools/call' }],
    ['in other letters', { 'mcp-method': 'TOOLS/LIST' }],
    ['empty', { 'mcp-method': '' }],
    ['encoded, which is for names', { 'mcp-method': base64('tools/list') }],
    ['sent twice, even alike', { 'mcp-method': ['tools/list', 'tools/list'] }],
  ])('refused when %s', (_case, headers) => {
    expect(() => checkPlainHeader(headers, METHOD_HEADER, 'tools/list')).toThrow(mismatch('Mcp-Method'));
    const revision = { 'mcp-protocol-version': headers['mcp-method'] };
    expect(() => checkPlainHeader(revision, REVISION_HEADER, 'tools/list')).toThrow(mismatch('MCP-Protocol-Version'));
  });
});

describe('Mcp-Name', () => {
  const required: RoutedParam = { method: 'm', param: 'name', presence: 'required' };
  const ifPresent: RoutedParam = { method: 'm', param: 'name', presence: 'if-present' };

  it.each<[string, RoutedParam | undefined, RoutingHeaders['x'], JsonObject]>([
    ['equal', required, 'echo', { name: 'echo' }],
    ['encoded', required, base64('größe'), { name: 'größe' }],
    ['absent where it is optional', ifPresent, undefined, { name: 'echo' }],
    ['of no meaning to the method', undefined, 'whatever', { name: 'echo' }],
    ['absent like the param, which the method will miss', required, undefined, {}],
  ])('passes when %s', (_case, row, ...[header, params]) => {
    expect(() => checkNameHeader({ 'mcp-name': header }, row, params)).not.toThrow();
  });

  it.each<[string, RoutedParam | undefined, RoutingHeaders['x'], JsonObject]>([
    ['missing', required, undefined, { name: 'echo' }],
    ['different', required, 'other', { name: 'echo' }],
    ['different where it is optional', ifPresent, 'other', { name: 'echo' }],
    ['in other letters', required, 'ECHO', { name: 'echo' }],
    ['malformed', required, '=?base64?SGVsbG8?=', { name: 'Hello' }],
    ['there but the param is not', required, 'echo', {}],
    ['there but the param is no string', required, '1', { name: 1 }],
    ['sent twice', required, ['echo', 'echo'], { name: 'echo' }],
    ['sent twice to a method without a name', undefined, ['a', 'b'], {}],
  ])('is -32020 when %s', (_case, row, ...[header, params]) => {
    expect(() => checkNameHeader({ 'mcp-name': header }, row, params)).toThrow(mismatch('Mcp-Name'));
  });
});
