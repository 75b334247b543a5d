import { McpError, McpPrompt, McpTool, McpToolError } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';

let thrown: () => unknown;

@Injectable()
class Orders {
  @McpTool({ description: 'Fails' })
  fails(): never {
    throw thrown();
  }

  @McpTool({ description: 'Fails as a task' })
  @McpTask({ required: true })
  failsLater(): never {
    throw thrown();
  }

  @McpPrompt({ description: 'Fails' })
  ask(): never {
    throw thrown();
  }
}

let testing: McpTestingApp;
beforeAll(async () => {
  testing = await createMcpTestingApp({ imports: [McpTasksModule.forRoot()], providers: [Orders] });
});
afterAll(() => testing.close());

interface Told {
  readonly status?: number;
  readonly error?: unknown;
  readonly result?: unknown;
}

const bySync = async (): Promise<Told> => {
  const { status, error, result } = await testing.client().callTool('fails');
  return error ? { status, error } : { status, result: result?.content };
};
const byPrompt = async (): Promise<Told> => {
  const { status, error } = await testing.client().request('prompts/get', { name: 'ask' });
  return { status, error };
};
const byTask = async (): Promise<Told> => {
  const client = testing.client().withTasks();
  const created = await client.callTool('failsLater');
  const task = (await pollTask(client, created.result!.taskId!)) as unknown as { error?: unknown; result?: { content: unknown } };
  return task.error ? { error: task.error } : { result: task.result?.content };
};

const MASKED = { code: -32603, message: 'Internal error', data: { errorId: expect.any(String) } };
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const logged = (from: number): string =>
  testing.logs
    .slice(from)
    .filter(({ level }) => level === 'error')
    .map(({ message, details }) => `${message} ${details}`)
    .join('\n');

describe('P-2: an error has one form on the wire, whatever carries it', () => {
  it.each<[string, unknown]>([
    ['1.5', 1.5],
    ['a text', '1008'],
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['infinite', Number.POSITIVE_INFINITY],
    ['null', null],
    ['a BigInt', 7n],
  ])('a code that is no integer is an internal error, with a log that says so: %s', async (_what, code) => {
    thrown = () => new McpError(code as number, 'secret');
    const from = testing.logs.length;
    expect(await bySync()).toEqual({ status: 200, error: MASKED });
    expect(await byPrompt()).toEqual({ status: 200, error: MASKED });
    expect(await byTask()).toEqual({ error: MASKED });
    expect(logged(from)).toContain('code must be an integer');
  });

  it.each<[string, unknown, object]>([
    ['a Date', { at: new Date(0) }, { data: { at: '1970-01-01T00:00:00.000Z' } }],
    ['a bare Date', new Date(0), { data: '1970-01-01T00:00:00.000Z' }],
    ['a Map', { map: new Map([[1, 2]]) }, {}],
    ['a cycle', cyclic, {}],
    ['a BigInt', { size: 1n }, {}],
    ['NaN', { size: Number.NaN }, {}],
    ['ordinary JSON', { left: 0 }, { data: { left: 0 } }],
    ['null', null, { data: null }],
  ])('its data is JSON, or left out with a log: %s', async (_what, data, sent) => {
    thrown = () => new McpError(1008, 'Out of stock', { data: data as never });
    const error = { code: 1008, message: 'Out of stock', ...sent };
    const from = testing.logs.length;
    expect(await bySync()).toEqual({ status: 200, error });
    expect(await byPrompt()).toEqual({ status: 200, error });
    expect(await byTask()).toEqual({ error });
    expect(logged(from).includes("JSON can't hold data")).toBe(!('data' in sent));
  });

  it.each([-32700, -32600, -32601, -32000, -32001, -32002, -32019, -32020, -32022, -32042, -32050, -32099, -32768])(
    'the code %d belongs to the framework: from a handler it is a logged fault',
    async (code) => {
      thrown = () => new McpError(code, 'by the author', { data: { supported: ['x'], requested: 'y' } });
      const from = testing.logs.length;
      expect(await bySync()).toEqual({ status: 200, error: MASKED });
      expect(await byPrompt()).toEqual({ status: 200, error: MASKED });
      expect(await byTask()).toEqual({ error: MASKED });
      expect(logged(from)).toContain(`the code ${code} is reserved for the protocol`);
    },
  );

  it('a missing capability never goes out without its data', async () => {
    thrown = () => new McpError(-32021, 'no sampling');
    expect(await bySync()).toEqual({ status: 200, error: MASKED });
    expect(await byTask()).toEqual({ error: MASKED });
    const data = { requiredCapabilities: { sampling: {} } };
    thrown = () => new McpError(-32021, 'no sampling', { data });
    expect(await bySync()).toEqual({ status: 400, error: { code: -32021, message: 'no sampling', data } });
    expect(await byTask()).toEqual({ error: { code: -32021, message: 'no sampling', data } });
  });

  it('invalid params and internal errors of a handler are its own to raise', async () => {
    for (const code of [-32602, -32603]) {
      thrown = () => new McpError(code, 'by the author', { data: { retryAfterMs: 5 } });
      const error = { code, message: 'by the author', data: { retryAfterMs: 5 } };
      expect(await bySync()).toEqual({ status: 200, error });
      expect(await byTask()).toEqual({ error });
    }
  });

  it.each([
    [undefined, 200],
    [204, 200],
    [302, 200],
    [404, 200],
    [429, 429],
    [503, 503],
    [Number.NaN, 200],
  ])('an author who chooses the HTTP status %s is answered with %d', async (httpStatus, status) => {
    thrown = () => new McpError(1008, 'Out of stock', httpStatus === undefined ? {} : { httpStatus });
    expect((await bySync()).status).toBe(status);
    expect((await byPrompt()).status).toBe(status);
  });

  it.each<[string, unknown, (told: Told) => void]>([
    ['a Date', { at: new Date(0) }, ({ result }) => expect(result).toEqual([{ type: 'text', text: 'no' }])],
    [
      'a BigInt',
      { size: 1n },
      ({ result }) => expect(result).toEqual([{ type: 'text', text: expect.stringMatching(/^Internal error \(errorId/) }]),
    ],
  ])('what a McpToolError carries is stored as it is sent: %s', async (_what, structuredContent, check) => {
    thrown = () => new McpToolError('no', { structuredContent });
    check(await bySync());
    check(await byTask());
  });

  it('the cause of an error that fails a task is logged, as it is for a call', async () => {
    thrown = () => new McpError(1008, 'Out of stock', { cause: new Error('the shelf fell') });
    const from = testing.logs.length;
    await byTask();
    expect(logged(from)).toContain('the shelf fell');
  });
});
