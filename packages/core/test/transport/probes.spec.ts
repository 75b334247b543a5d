import type http from 'node:http';
import type { JsonObject } from '../../src/protocol/json.js';
import { META, bench } from '../dispatch/dispatch-harness.js';
import { call, closeEndpoints, post, raw, send, startEndpoint } from './http-harness.js';

afterEach(closeEndpoints);

// The whole way with nothing stubbed but the methods: sockets, Fastify, transport, dispatch.

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const headers = (method: string, rest: http.OutgoingHttpHeaders = {}): http.OutgoingHttpHeaders => ({
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': method,
  ...rest,
});
const body = (method: string, params: JsonObject = {}, meta: JsonObject | undefined = META): object =>
  call(1, method, meta === undefined ? params : { ...params, _meta: meta });

describe('over the wire', () => {
  it.each<[string, http.OutgoingHttpHeaders, object, number, number | undefined]>([
    ['a good request is served', headers('tools/list'), body('tools/list'), 200, undefined],
    ['a good call is served', headers('tools/call', { 'Mcp-Name': 'echo' }), body('tools/call', { name: 'echo' }), 200, undefined],
    [
      'an encoded name is served',
      headers('tools/call', { 'Mcp-Name': '=?base64?ZWNobw==?=' }),
      body('tools/call', { name: 'echo' }),
      200,
      undefined,
    ],
    [
      'padded header values are served',
      headers('tools/call', { 'Mcp-Name': '  echo  ' }),
      body('tools/call', { name: 'echo' }),
      200,
      undefined,
    ],
    ['no params are -32602', headers('tools/list'), { jsonrpc: '2.0', id: 1, method: 'tools/list' }, 400, -32602],
    ['no _meta is -32602', headers('tools/list'), call(1, 'tools/list'), 400, -32602],
    [
      'a body of v999.0.0 under a served header is -32020',
      headers('tools/list'),
      body('tools/list', {}, { ...META, [VERSION]: 'v999.0.0' }),
      400,
      -32020,
    ],
    [
      'v999.0.0 in both is -32022',
      headers('tools/list', { 'MCP-Protocol-Version': 'v999.0.0' }),
      body('tools/list', {}, { ...META, [VERSION]: 'v999.0.0' }),
      400,
      -32022,
    ],
    ['no Mcp-Method is -32020', { 'MCP-Protocol-Version': '2026-07-28' }, body('tools/list'), 400, -32020],
    ['another Mcp-Method is -32020', headers('tools/call'), body('tools/list'), 400, -32020],
    ['an unknown method is -32601 and 404', headers('unknown/method'), body('unknown/method'), 404, -32601],
    ['no Mcp-Name is -32020', headers('tools/call'), body('tools/call', { name: 'echo' }), 400, -32020],
    ['another Mcp-Name is -32020', headers('tools/call', { 'Mcp-Name': 'other' }), body('tools/call', { name: 'echo' }), 400, -32020],
    [
      'a bad sentinel is -32020',
      headers('tools/call', { 'Mcp-Name': '=?base64?ZWNobw?=' }),
      body('tools/call', { name: 'echo' }),
      400,
      -32020,
    ],
    [
      'params of the method are -32602 in-band',
      headers('tools/call', { 'Mcp-Name': 'nope' }),
      body('tools/call', { name: 'nope' }),
      200,
      -32602,
    ],
  ])('%s', async (_title, head, ...[message, status, code]) => {
    const { dispatcher } = bench();
    const { port } = await startEndpoint({ dispatcher });
    const reply = await send(port, { headers: head, body: message });
    expect({ status: reply.status, id: reply.json.id, code: reply.json.error?.code }).toEqual({ status, id: 1, code });
  });

  it.each(['MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/call', 'Mcp-Name: echo'])(
    '%s, sent twice alike, is -32020',
    async (line) => {
      const { dispatcher } = bench();
      const { port } = await startEndpoint({ dispatcher });
      const lines = ['Host: localhost', 'MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/call', 'Mcp-Name: echo'];
      const text = JSON.stringify(body('tools/call', { name: 'echo' }));
      expect(await raw(port, post(lines, text))).toMatch(/^HTTP\/1\.1 200 /);
      const reply = await raw(port, post([...lines, line.toUpperCase().replace(/:.*/, line.slice(line.indexOf(':')))], text));
      expect(reply).toMatch(/^HTTP\/1\.1 400 /);
      expect(reply).toContain('"code":-32020');
    },
  );

  it('a name that was joined of two headers does not pass for the name of a tool with a comma', async () => {
    const { dispatcher } = bench();
    const { port } = await startEndpoint({ dispatcher });
    const lines = ['Host: localhost', 'MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/call', 'Mcp-Name: echo', 'Mcp-Name: x'];
    const reply = await raw(port, post(lines, JSON.stringify(body('tools/call', { name: 'echo, x' }))));
    expect(reply).toContain('"code":-32020');
  });
});
