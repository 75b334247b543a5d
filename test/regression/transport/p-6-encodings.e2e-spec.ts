import { gzipSync } from 'node:zlib';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { headersOf, request, send, StdioClient } from './raw-client.js';

const LIST = JSON.stringify(request('tools/list'));
const BYTE_ORDER_MARK = '\uFEFF';

describe('P-6: how a message is encoded is understood, or refused as what it is', () => {
  let app: McpTestingApp;
  beforeAll(async () => {
    app = await createMcpTestingApp({});
  });
  afterAll(() => app.close());

  it('a byte order mark before the first line of stdio is ignored, and before a later one', async () => {
    const client = new StdioClient(app.app);
    for (const id of [1, 2]) client.write(`${BYTE_ORDER_MARK}${JSON.stringify(request('tools/list', {}, id))}`);
    expect([(await client.next()).result?.tools, (await client.next()).result?.tools]).toEqual([[], []]);
    await client.end();
  });

  it('a byte order mark before a body is ignored', async () => {
    const { status, json } = await send(app.url, { headers: headersOf('tools/list'), body: `${BYTE_ORDER_MARK}${LIST}` });
    expect({ status, tools: json.result?.tools }).toEqual({ status: 200, tools: [] });
  });

  it.each(['gzip', 'br', 'GZIP', 'x-own'])('a body in %s, which no plugin decodes, is 415', async (encoding) => {
    const { status, headers, json } = await send(app.url, {
      headers: { ...headersOf('tools/list'), 'content-encoding': encoding },
      body: gzipSync(LIST),
    });
    expect({ status, accepted: headers['accept-encoding'], code: json?.error?.code }).toEqual({
      status: 415,
      accepted: 'identity',
      code: -32600,
    });
  });

  it('a body whose encoding is "identity" is read', async () => {
    const headers = { ...headersOf('tools/list'), 'content-encoding': 'identity' };
    expect((await send(app.url, { headers, body: LIST })).json.result.tools).toEqual([]);
  });
});
