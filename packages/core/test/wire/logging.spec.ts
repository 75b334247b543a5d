import { McpArg, McpContext, McpTool, type JsonValue, type LogLevel, type McpToolContext } from '@mocapi/core';
import { createMcpTestingApp, type McpReply, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';

const LEVELS: LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

@Injectable()
class LoggingTools {
  late?: () => void;

  @McpTool({ description: 'logs at every level' })
  async levels(@McpContext() ctx: McpToolContext) {
    for (const level of LEVELS) ctx.log(level, { at: level });
    return 'done';
  }

  @McpTool({ description: 'logs what it is given' })
  async data(@McpArg('data', { schema: {} as never }) data: JsonValue, @McpContext() ctx: McpToolContext) {
    ctx.log('error', data, 'the-logger');
    return 'done';
  }

  @McpTool({ description: 'makes mistakes' })
  async mistake(@McpArg('which') which: string, @McpContext() ctx: McpToolContext) {
    if (which === 'level') ctx.log('warn' as LogLevel, 'x');
    else ctx.log('error', new Map());
    return 'done';
  }

  @McpTool({ description: 'logs in each execution' })
  async asking(@McpContext() ctx: McpToolContext) {
    ctx.log('info', 'before');
    await ctx.elicit('ok', { message: 'Ok?', schema: z.object({ ok: z.boolean() }) });
    ctx.log('info', 'after');
    return 'done';
  }

  @McpTool({ description: 'logs when it is over' })
  async tooLate(@McpContext() ctx: McpToolContext) {
    this.late = () => ctx.log('error', 'too late');
    return 'done';
  }
}

const open: McpTestingApp[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
});

async function boot(logging?: boolean): Promise<McpTestingApp> {
  const app = await createMcpTestingApp({ providers: [LoggingTools], options: logging === undefined ? {} : { logging } });
  open.push(app);
  return app;
}

function call(
  app: McpTestingApp,
  name: string,
  { level, args = {} }: { level?: LogLevel; args?: Record<string, JsonValue> } = {},
): Promise<McpReply> {
  const meta = level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level };
  return app.client().callTool(name, args, { meta });
}

const logged = ({ notifications }: McpReply): unknown[] =>
  notifications.map(({ method, params }) => (method === 'notifications/message' ? params : method));

describe('a log message', () => {
  it.each(LEVELS)('is sent at or above the level that the request asks for: %s', async (level) => {
    const reply = await call(await boot(true), 'levels', { level });
    expect(logged(reply)).toEqual(LEVELS.slice(LEVELS.indexOf(level)).map((at) => ({ level: at, data: { at } })));
    expect(reply.result?.content?.[0]?.text).toBe('done');
  });

  it('is never sent on a request without a level, whatever an earlier one asked for', async () => {
    const app = await boot(true);
    await call(app, 'levels', { level: 'debug' });
    const reply = await call(app, 'levels');
    expect(logged(reply)).toEqual([]);
    expect(reply.headers.get('content-type')).toContain('application/json');
  });

  it('goes to its own request alone', async () => {
    const app = await boot(true);
    const replies = await Promise.all([
      call(app, 'levels', { level: 'alert' }),
      call(app, 'levels'),
      call(app, 'levels', { level: 'emergency' }),
    ]);
    expect(replies.map((reply) => logged(reply).length)).toEqual([2, 0, 1]);
  });

  it.each<[JsonValue]>([['text'], [{ a: [1, null] }], [[]], [false], [null]])(
    'may hold any JSON, and name its logger: %j',
    async (data) => {
      const reply = await call(await boot(true), 'data', { level: 'error', args: { data } });
      expect(logged(reply)).toEqual([{ level: 'error', logger: 'the-logger', data }]);
    },
  );

  it.each([
    ['level', '"warn" is not a log level'],
    ['data', 'the data of a log message'],
  ])('with a mistake in its %s is an error of the author, asked for or not', async (which, text) => {
    const app = await boot();
    const reply = await call(app, 'mistake', { args: { which } });
    expect(reply.result?.isError).toBe(true);
    expect(app.logs.map(({ details }) => details).join('\n')).toContain(text);
  });

  it('is sent again by the execution that follows a question, on the request of that one', async () => {
    const app = await boot(true);
    const first = await call(app, 'asking', { level: 'info' });
    expect([first.result?.resultType, logged(first)]).toEqual(['input_required', [{ level: 'info', data: 'before' }]]);
    const { requestState } = first.result!;
    const retry = { requestState: requestState!, inputResponses: { ok: { action: 'decline' } } };
    const second = await app.client().callTool('asking', {}, { ...retry, meta: { 'io.modelcontextprotocol/logLevel': 'info' } });
    expect(logged(second)).toEqual([
      { level: 'info', data: 'before' },
      { level: 'info', data: 'after' },
    ]);
    expect(logged(await app.client().callTool('asking', {}, retry))).toEqual([]);
  });

  it('that comes after the answer goes nowhere and hurts nobody', async () => {
    const app = await boot(true);
    expect(logged(await call(app, 'tooLate', { level: 'debug' }))).toEqual([]);
    expect(() => app.app.get(LoggingTools).late!()).not.toThrow();
  });
});

describe('logging', () => {
  it('is advertised by a server that sends log messages, and by no other', async () => {
    expect((await (await boot(true)).client().discover()).result?.capabilities).toHaveProperty('logging', {});
    expect((await (await boot()).client().discover()).result?.capabilities).not.toHaveProperty('logging');
  });

  it('is off by default: nothing is sent though the request asks for it', async () => {
    const reply = await call(await boot(), 'levels', { level: 'debug' });
    expect([logged(reply), reply.result?.content?.[0]?.text]).toEqual([[], 'done']);
  });

  it('has no method of its own any more, and a level that is none is a fault of the envelope', async () => {
    const client = (await boot(true)).client();
    expect((await client.request('logging/setLevel', { level: 'debug' })).error?.code).toBe(-32601);
    const reply = await client.callTool('levels', {}, { meta: { 'io.modelcontextprotocol/logLevel': 'warn' } });
    expect([reply.status, reply.error?.code]).toEqual([400, -32602]);
  });
});
