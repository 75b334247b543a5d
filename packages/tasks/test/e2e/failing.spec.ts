import { McpError, McpTool, McpToolError, toolResult } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { pollTask } from '@mocapi/testing';
import { ConflictException, Injectable, UseInterceptors } from '@nestjs/common';
import { throwError } from 'rxjs';
import { scriptedTool, type Body } from './support/scripted-tool.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';

let body: Body;

@Injectable()
class Tools {
  @McpTool({ description: 'Fails before its body' })
  @McpTask()
  @UseInterceptors({ intercept: () => throwError(() => new McpError(1042, 'the interceptor says no', { data: { by: 'interceptor' } })) })
  intercepted(): string {
    return 'entered';
  }

  @McpTool({ description: 'Answers before its body' })
  @McpTask()
  @UseInterceptors({ intercept: () => ['cached'] as never })
  cached(): string {
    return 'entered';
  }
}

const throwing =
  (error: unknown): Body =>
  () => {
    throw error;
  };

let app: TasksApp;

beforeAll(async () => {
  app = await startTasksApp({ tools: [scriptedTool(() => body), Tools] });
});

afterAll(() => app.close());

async function bothEndings(
  tool = 'scripted',
): Promise<{ sync: Awaited<ReturnType<ReturnType<TasksApp['plain']>['callTool']>>; task: Awaited<ReturnType<typeof pollTask>> }> {
  const sync = await app.plain().callTool(tool);
  const task = await pollTask(app.capable(), await startTask(app.capable(), tool));
  return { sync, task };
}

const errorIdIn = (text: string): string | undefined => /errorId ([0-9a-f-]{36})/.exec(text)?.[1];

describe('a tool that throws', () => {
  it.each<[string, unknown]>([
    ['an Error', Object.assign(new Error('secret /etc/passwd'), { path: '/secret/path' })],
    ['a text', 'secret text'],
    ['an object', { secret: true }],
    ['undefined', undefined],
  ])('%s is masked: an isError result, which completes the task, with an errorId that the log has too', async (_what, error) => {
    body = throwing(error);
    const { sync, task } = await bothEndings();
    expect(sync.result).toMatchObject({ resultType: 'complete', isError: true });
    expect(task).toMatchObject({ status: 'completed', result: { resultType: 'complete', isError: true } });
    const texts = [sync.raw, JSON.stringify(task)];
    const ids = texts.map(errorIdIn);
    expect(new Set(ids).size).toBe(2);
    for (const text of texts) {
      expect(text).toContain('Internal error');
      expect(text).not.toMatch(/secret|\.ts|at .*:\d+/);
    }
    for (const id of ids)
      expect(app.testing.logs.filter(({ message, level }) => level === 'error' && message.includes(id!))).toHaveLength(1);
  });

  it('has its stack in the log, once', async () => {
    body = throwing(new Error('the only cause of its kind'));
    await pollTask(app.capable(), await startTask(app.capable(), 'scripted'));
    expect(app.testing.logs.filter(({ details }) => details?.includes('the only cause of its kind'))).toHaveLength(1);
  });

  it.each<[string, unknown, object]>([
    [
      'an McpToolError, whose message and content reach the client',
      new McpToolError('no such file', { content: [{ type: 'text', text: 'hint' }] }),
      { content: [{ text: 'no such file' }, { text: 'hint' }] },
    ],
    [
      "Nest's HttpException, whose message reaches the client",
      new ConflictException('already booked'),
      { content: [{ text: 'already booked' }] },
    ],
  ])('%s', async (_what, error, result) => {
    body = throwing(error);
    const { sync, task } = await bothEndings();
    expect(sync.result).toMatchObject({ isError: true, ...result });
    expect(task).toMatchObject({ status: 'completed', result: { isError: true, ...result } });
    const { _meta, ...direct } = sync.result as Record<string, unknown>;
    expect(task.status === 'completed' && task.result).toEqual(direct);
  });

  it('an McpError fails the task, with code, message and data; synchronously it is a JSON-RPC error', async () => {
    body = throwing(new McpError(1050, 'out of stock', { data: { left: 0 }, cause: new Error('secret cause') }));
    const { sync, task } = await bothEndings();
    const error = { code: 1050, message: 'out of stock', data: { left: 0 } };
    expect([sync.status, sync.error]).toEqual([200, error]);
    expect(task).toMatchObject({ status: 'failed', statusMessage: 'out of stock', error });
    expect(task.status === 'failed' && task.error).toEqual(error);
    expect(JSON.stringify(task) + sync.raw).not.toContain('secret');
  });

  it('an McpError without a message leaves a status message all the same', async () => {
    body = throwing(new McpError(1050, ''));
    const { task } = await bothEndings();
    expect(task.status).toBe('failed');
    expect(task.statusMessage).toBeTruthy();
  });
});

describe('a tool that returns', () => {
  it.each<[string, unknown, object]>([
    ['nothing', undefined, { content: [] }],
    ['null', null, { content: [] }],
    ['a text', 'hi', { content: [{ type: 'text', text: 'hi' }] }],
    ['JSON', { n: 1 }, { content: [{ type: 'text', text: '{"n":1}' }], structuredContent: { n: 1 } }],
    [
      'a result that says it failed',
      toolResult({ content: [{ type: 'text', text: 'no' }], isError: true }),
      { isError: true, content: [{ type: 'text', text: 'no' }] },
    ],
  ])('%s completes the task with what the call would have answered', async (_what, value, result) => {
    body = () => value;
    const { sync, task } = await bothEndings();
    expect(sync.result).toMatchObject(result);
    expect(task.status === 'completed' && task.result).toEqual({ resultType: 'complete', ...result });
  });

  it('what JSON cannot hold fails as an internal error, whose log names tool and path', async () => {
    body = () => ({ deep: { big: 1n } });
    const { sync, task } = await bothEndings();
    expect(sync.result).toMatchObject({ isError: true });
    expect(task).toMatchObject({ status: 'completed', result: { isError: true } });
    expect(app.testing.logs.some(({ message, details }) => /scripted/.test(message) && /deep\.big/.test(details ?? ''))).toBe(true);
  });
});

describe('an interceptor that ends the call before its body', () => {
  it('by an error answers with it at once, and nothing is stored', async () => {
    const before = app.store.size;
    const [sync, capable] = [await app.plain().callTool('intercepted'), await app.capable().callTool('intercepted')];
    expect(capable.raw).toBe(sync.raw);
    expect(capable.error).toEqual({ code: 1042, message: 'the interceptor says no', data: { by: 'interceptor' } });
    expect(app.store.size).toBe(before);
  });

  it('by a value gives an ordinary result and no task', async () => {
    const before = app.store.size;
    expect((await app.capable().callTool('cached')).result).toMatchObject({ resultType: 'complete', content: [{ text: 'cached' }] });
    expect(app.store.size).toBe(before);
  });
});

describe('exposeErrorMessages', () => {
  it('lets the message through, for development, in a task too', async () => {
    const exposing = await startTasksApp({ tools: [scriptedTool(() => body), Tools], server: { exposeErrorMessages: true } });
    body = throwing(new Error('plain to see'));
    const task = await pollTask(exposing.capable(), await startTask(exposing.capable(), 'scripted'));
    expect(JSON.stringify(task)).toContain('plain to see');
    await exposing.close();
  });
});
