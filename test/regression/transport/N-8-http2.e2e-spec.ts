import { once } from 'node:events';
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { McpContext, McpModule, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { until } from '../../support/flow.js';

const CAPABILITIES = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': CAPABILITIES };

let ran = 0;
let aborted = 0;

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  @McpTask({ required: true })
  background(): string {
    ran += 1;
    return 'done';
  }

  @McpTool({ description: 'x' })
  async wait(@McpContext() ctx: McpToolContext): Promise<string> {
    ran += 1;
    await once(ctx.signal, 'abort');
    aborted += 1;
    return 'late';
  }

  @McpTool({ description: 'x' })
  tell(@McpContext() ctx: McpToolContext): string {
    ctx.progress(1, 2, 'half');
    return 'told';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'test', version: '1.0.0' }), McpTasksModule.forRoot()], providers: [Tools] })
class App {}

describe('N-8: over HTTP/2', () => {
  let app: NestFastifyApplication;
  let session: ClientHttp2Session;
  beforeAll(async () => {
    const adapter = new FastifyAdapter({ http2: true } as never);
    app = await NestFactory.create<NestFastifyApplication>(App, adapter, { logger: false });
    await app.listen(0, '127.0.0.1');
    session = connect(`http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`);
  });
  beforeEach(() => {
    ran = 0;
    aborted = 0;
  });
  afterAll(async () => {
    session.destroy();
    await app.close();
  });

  const open = (method: string, params: { name?: string; taskId?: string }, meta: object = {}): ClientHttp2Stream => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/mcp',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': params.name ?? params.taskId,
    });
    stream.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...META, ...meta } } }));
    return stream;
  };
  const send = async (method: string, params: { name?: string; taskId?: string }): Promise<any> =>
    JSON.parse(await text(open(method, params)));

  it('a task that was answered is kept, and runs', async () => {
    const { taskId } = (await send('tools/call', { name: 'background' })).result;
    let task = await send('tasks/get', { taskId });
    for (let poll = 0; task.result?.status === 'working' && poll < 100; poll += 1) task = await send('tasks/get', { taskId });
    expect(task).toMatchObject({ result: { status: 'completed', result: { content: [{ text: 'done' }] } } });
    expect(ran).toBe(1);
  });

  it('a call whose client resets its stream is cancelled', async () => {
    const stream = open('tools/call', { name: 'wait' });
    await until(() => ran === 1, 'the body runs');
    stream.close(constants.NGHTTP2_CANCEL);
    await until(() => aborted === 1, 'the body has heard of it');
  });

  it('progress goes out before the answer', async () => {
    const events = await text(open('tools/call', { name: 'tell' }, { progressToken: 'p' }));
    expect(events).toMatch(/notifications\/progress.*told/s);
  });
});
