import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { McpContext, McpModule, McpStdio, McpTool, type McpToolContext } from '@mocapi/core';
import { Injectable, Module, UnauthorizedException, type CanActivate, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { INITIALIZE, older } from '../legacy/legacy-harness.js';
import { deferred } from '../../../../test/support/flow.js';
import { request } from './stdio-harness.js';

let entered = deferred<AbortSignal>();
let isClosed = false;
const guard: CanActivate = {
  canActivate: () => {
    if (isClosed) throw new UnauthorizedException();
    return true;
  },
};

@Injectable()
class Tools {
  @McpTool({ description: 'Greets' })
  greet(@McpContext() ctx: McpToolContext): string {
    ctx.progress(1);
    return 'Hello';
  }

  @McpTool({ description: 'Waits' })
  async wait(@McpContext() ctx: McpToolContext): Promise<void> {
    entered.resolve(ctx.signal);
    await new Promise(() => {});
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'stdio', version: '1', guards: [guard] })], providers: [Tools] })
class AppModule {}

let app: INestApplicationContext;
let input: PassThrough;
let output: PassThrough;
let lines: AsyncIterator<string>;
let serving: Promise<void>;

beforeEach(async () => {
  isClosed = false;
  entered = deferred();
  app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  [input, output] = [new PassThrough(), new PassThrough()];
  lines = createInterface({ input: output })[Symbol.asyncIterator]();
  serving = McpStdio.serve(app, { input, output, limits: { drainMs: 1 } });
});
afterEach(async () => {
  input.end();
  await serving;
  await app.close();
});

const send = (message: object): void => void input.write(`${JSON.stringify(message)}\n`);
const next = async (): Promise<any> => JSON.parse((await lines.next()).value as string);
const ask = (message: object): Promise<any> => {
  send(message);
  return next();
};

describe('an older client on stdio', () => {
  it('shakes hands, lists and calls, with progress', async () => {
    expect((await ask(INITIALIZE)).result).toMatchObject({ protocolVersion: '2025-11-25', capabilities: { tools: {} } });
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect((await ask(older('tools/list', undefined, 2))).result.tools).toHaveLength(2);
    expect(await ask(older('tools/call', { name: 'greet', _meta: { progressToken: 'p' } }, 3))).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 1 },
    });
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 3, result: { content: [{ type: 'text', text: 'Hello' }] } });
  });

  it('cancels a call, of which nothing more is sent', async () => {
    await ask(INITIALIZE);
    send(older('tools/call', { name: 'wait' }, 2));
    const signal = await entered.promise;
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
    expect(await ask(older('ping', undefined, 3))).toEqual({ jsonrpc: '2.0', id: 3, result: {} });
    expect(signal.reason).toMatchObject({ abortCause: 'cancelled' });
  });

  it('gets the last word of a call that does not end', async () => {
    await ask(INITIALIZE);
    send(older('tools/call', { name: 'wait' }, 2));
    await entered.promise;
    input.end();
    expect(await next()).toMatchObject({ id: 2, error: { code: -32603 } });
    await serving;
  });

  it('is guarded from the handshake on', async () => {
    isClosed = true;
    expect((await ask(INITIALIZE)).error).toMatchObject({ code: 401, message: 'Unauthorized' });
  });

  it('is told what a handshake needs, and may shake hands then', async () => {
    const { id, error } = await ask(older('initialize', {}, 7));
    expect({ id, error }).toEqual({
      id: 7,
      error: { code: -32602, message: 'Invalid params of initialize: params.protocolVersion must be a string' },
    });
    expect((await ask(INITIALIZE)).result.protocolVersion).toBe('2025-11-25');
  });

  it('may ask which revisions there are before it shakes hands', async () => {
    expect((await ask(request(1, 'server/discover'))).result.supportedVersions).toEqual(['2026-07-28']);
    expect((await ask(INITIALIZE)).result.protocolVersion).toBe('2025-11-25');
  });
});

describe('a client of 2026-07-28 on stdio', () => {
  it('cannot shake hands afterwards, and is told what is missing in a request without an envelope', async () => {
    expect((await ask(request(1, 'tools/list'))).result.resultType).toBe('complete');
    expect((await ask(INITIALIZE)).error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } });
    expect((await ask(older('tools/list', undefined, 2))).error.code).toBe(-32602);
  });
});
