import { PassThrough, Transform, type Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import compress from '@fastify/compress';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { headersOf, request, send, type RawReply } from './raw-client.js';

const LIST = JSON.stringify(request('tools/list'));
const HEADERS = headersOf('tools/list');

async function start(prepare: (app: NestFastifyApplication) => unknown): Promise<McpTestingApp> {
  return createMcpTestingApp({ configure: prepare });
}

function behind(stream: (payload: Readable) => Readable): Promise<McpTestingApp> {
  return start((app) =>
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('preParsing', (...[, , payload, next]: [unknown, unknown, Readable, (error: null, stream: Readable) => void]) => {
        next(null, stream(payload));
      }),
  );
}

describe('A-10: a body is read behind whatever stream the application puts before it', () => {
  let app: McpTestingApp;
  afterEach(() => app.close());

  describe('with @fastify/compress', () => {
    beforeEach(async () => {
      app = await start((nest) => nest.register(compress as never));
    });

    const post = (body: Buffer | string, headers = {}): Promise<RawReply> => send(app.url, { body, headers: { ...HEADERS, ...headers } });

    it('answers a gzip body, and one that is not encoded', async () => {
      const encoded = await post(gzipSync(LIST), { 'content-encoding': 'gzip' });
      expect({ status: encoded.status, tools: encoded.json?.result?.tools }).toEqual({ status: 200, tools: [] });
      expect((await post(LIST)).json.result.tools).toEqual([]);
    });

    it('answers 400 to a body that is no gzip', async () => {
      const { status, json } = await post(LIST, { 'content-encoding': 'gzip' });
      expect({ status, code: json?.error?.code, id: json?.id }).toEqual({ status: 400, code: -32600, id: undefined });
    });

    it('answers 400 to a gzip body that ends early', async () => {
      const { status, json } = await post(gzipSync(LIST).subarray(0, 40), { 'content-encoding': 'gzip' });
      expect({ status, code: json?.error?.code }).toEqual({ status: 400, code: -32600 });
    });

    it('answers 413 to a small body that grows beyond the limit when it is decoded', async () => {
      const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, 0x20));
      expect((await post(bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
    });

    it('answers 415 to an encoding that the plugin does not know', async () => {
      expect((await post(LIST, { 'content-encoding': 'compress42' })).status).toBe(415);
    });
  });

  it('answers when a hook hands on a stream that is paused', async () => {
    app = await behind((payload) => payload.pipe(new PassThrough()).pause());
    expect((await send(app.url, { body: LIST, headers: HEADERS })).json.result.tools).toEqual([]);
  });

  it('answers when a hook hands on a stream of text', async () => {
    app = await behind((payload) => payload.pipe(new PassThrough({ encoding: 'utf8' })));
    expect((await send(app.url, { body: LIST, headers: HEADERS })).json.result.tools).toEqual([]);
  });

  it('answers 400 when a stream of a hook fails', async () => {
    let failed = 0;
    const failing = (): Transform =>
      new Transform({ transform: (_chunk, _encoding, done) => done(new Error(`decoding ${(failed += 1)}`)) });
    app = await behind((payload) => payload.pipe(failing()));
    const { status, json } = await send(app.url, { body: LIST, headers: HEADERS });
    expect(failed).toBe(1);
    expect({ status, code: json?.error?.code }).toEqual({ status: 400, code: -32600 });
    expect(JSON.stringify(json)).not.toContain('decoding');
  });

  it('answers 400 when a stream of a hook is gone before it is read', async () => {
    app = await behind(() => new PassThrough().destroy());
    expect((await send(app.url, { body: LIST, headers: HEADERS })).status).toBe(400);
  });

  it('answers 400 when a stream of a hook ends without an end', async () => {
    app = await behind((payload) => {
      const stream = payload.pipe(new PassThrough());
      payload.once('data', () => stream.destroy());
      return stream;
    });
    expect((await send(app.url, { body: LIST, headers: HEADERS })).status).toBe(400);
  });
});
