import type { AcceptedDifference } from './compare/judge.js';
import { differ } from './compare/differ.js';
import { judge } from './compare/judge.js';
import { observe } from './compare/observe.js';
import { factsOf } from './compare/request-facts.js';
import { call } from './corpus/case.js';
import { bytesOf } from './wire/raw-request.js';
import { parseResponse, type RawResponse } from './wire/raw-response.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const result = { resultType: 'complete', tools: [{ name: 'echo', inputSchema: { type: 'object' } }], ttlMs: 0 };

function reply(message: object, more: Partial<RawResponse> = {}): RawResponse {
  return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }), isWhole: true, ...more };
}

const facetsOf = (ours: RawResponse, official: RawResponse): string[] => differ(observe(ours), observe(official)).map(({ facet }) => facet);

describe('the comparison of two answers', () => {
  const before = reply({ result });
  const notification = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
  const stream = (...messages: object[]): RawResponse => ({
    ...before,
    headers: { 'content-type': 'text/event-stream' },
    body: messages.map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join(''),
  });

  it.each([
    ['the status', { ...before, status: 400 }, 'status'],
    ['a header that matters', { ...before, headers: { ...JSON_TYPE, allow: 'POST' } }, 'header allow'],
    ['the id', reply({ result, id: '1' }), 'id'],
    ['a field that is missing', reply({ result: { ...result, ttlMs: undefined } }), 'result.ttlMs'],
    ['a field that is new', reply({ result: { ...result, more: null } }), 'result.more'],
    [
      'a value far inside',
      reply({ result: { ...result, tools: [{ name: 'echo', inputSchema: { type: 'array' } }] } }),
      'result.tools[0].inputSchema.type',
    ],
    ['the result type', reply({ result: { ...result, resultType: 'input_required' } }), 'outcome'],
    ['an error in place of a result', reply({ error: { code: -32602, message: 'x' } }), 'outcome'],
    ['a body that is no JSON', { ...before, body: '{' }, 'outcome'],
    ['an answer that is missing', { ...before, body: '', headers: {} }, 'outcome'],
  ])('sees %s', (_what, changed, facet) => {
    expect(facetsOf(before, before)).toEqual([]);
    expect(facetsOf(changed, before)).toContain(facet);
  });

  it('sees the kind of content, and what comes before an answer', () => {
    const answer = { jsonrpc: '2.0', id: 1, result };
    expect(facetsOf(stream(answer), before)).toEqual(['content']);
    expect(facetsOf(stream(notification, answer), stream(answer))).toContain('notifications[0].params.progress');
  });

  it('sees another code and data that the revision defines, and no texts', () => {
    const error = (code: number, data?: object) => reply({ error: { code, message: String(code), data } });
    expect(facetsOf(error(-32602), error(-32603))).toEqual(['outcome']);
    expect(facetsOf(error(-32022, { supported: ['a'] }), error(-32022, { supported: ['b'] }))).toEqual(['error.data.supported']);
    expect(facetsOf(error(-32602, { why: 1 }), error(-32602, { why: 2 }))).toEqual([]);
  });

  it('masks what each server seals for itself', () => {
    const asking = (requestState: unknown) => reply({ result: { resultType: 'input_required', requestState } });
    expect(facetsOf(asking('one'), asking('two'))).toEqual([]);
    expect(facetsOf(asking('one'), asking(2))).toEqual(['result.requestState']);
  });
});

describe('the list of accepted differences', () => {
  const entry: AcceptedDifference = {
    reason: 'Meant',
    line: 'a line',
    right: 'both',
    shapes: [{ facet: 'status', ours: 400, official: 200 }],
    request: ({ method }) => method === 'tools/call',
  };
  const facts = factsOf(call('echo', { text: 'hi' }));
  const difference = { facet: 'status', ours: 400, official: 200 };

  it('covers a difference of its shape, on a request that it is about', () => {
    expect(judge([entry], [difference], facts)).toEqual({ accepted: [entry], unlisted: [] });
  });

  it.each([
    ['the other way round', [{ facet: 'status', ours: 200, official: 400 }], facts],
    ['of another facet', [{ facet: 'id', ours: 400, official: 200 }], facts],
    ['on another request', [difference], factsOf({ ...call('echo'), body: '{"method":"tools/list"}' })],
  ])('does not cover a difference %s', (_what, differences, about) => {
    expect(judge([entry], differences, about)).toEqual({ accepted: [], unlisted: differences });
  });
});

describe('the wire of the comparison', () => {
  it('sends headers as they are spelled, and adds nothing but the framing', () => {
    const bytes = bytesOf({
      verb: 'POST',
      path: '/mcp',
      headers: [
        ['X-a', 'K\u00f6ln'],
        ['x-A', '2'],
      ],
      body: 'ü',
    });
    const head = 'POST /mcp HTTP/1.1\r\nX-a: K\u00f6ln\r\nx-A: 2\r\nContent-Length: 2\r\nConnection: close\r\n\r\n';
    expect(bytes).toEqual(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from('ü')]));
  });

  it('reads a response in chunks, and knows when it is whole', () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(parseResponse(Buffer.from(`${head}2\r\nab\r\n1\r\nc\r\n0\r\n\r\n`))).toMatchObject({ status: 200, body: 'abc', isWhole: true });
    expect(parseResponse(Buffer.from(`${head}2\r\nab\r\n`))).toMatchObject({ body: 'ab', isWhole: false });
    expect(parseResponse(Buffer.from('HTTP/1.1 204 No'))).toMatchObject({ status: 0 });
  });
});
