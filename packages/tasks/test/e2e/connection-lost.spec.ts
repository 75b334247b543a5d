import { request as httpRequest, type IncomingMessage } from 'node:http';
import { McpContext, McpTool, PROTOCOL_VERSION, type McpResult, type McpToolContext } from '@mocapi/core';
import { McpSeam, type DispatchContext, type McpDispatchInterceptor } from '@mocapi/core/extension';
import { McpTask, TASKS_EXTENSION } from '@mocapi/tasks';
import { pollTask } from '@mocapi/testing';
import { Injectable, UseGuards } from '@nestjs/common';
import { deferred, turns, until, type Deferred } from './support/flow.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';
import { failOnUnhandledRejections } from './support/unhandled-rejections.js';

let entered: number;
let signals: AbortSignal[];
let finish: Deferred;
let decide: Deferred;
let guarding: boolean;
/** Whether the reply to each call got onto the wire, in the order it was known. */
let delivered: boolean[];

/** Sees what becomes of each reply. */
@Injectable()
@McpSeam('dispatch-interceptor', { order: -1 })
class DeliveryWitness implements McpDispatchInterceptor {
  intercept({ method, exchange }: DispatchContext, next: () => Promise<McpResult>): Promise<McpResult> {
    if (method === 'tools/call') exchange.delivery.onSettled((reached) => delivered.push(reached));
    return next();
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'Ends when the test says' })
  @McpTask()
  async slow(@McpContext() ctx: McpToolContext): Promise<string> {
    entered += 1;
    signals.push(ctx.signal);
    await finish.promise;
    return 'done';
  }

  @McpTool({ description: 'Behind a guard that takes its time' })
  @McpTask()
  @UseGuards({
    canActivate: async () => {
      guarding = true;
      await decide.promise;
      return true;
    },
  })
  guarded(): void {
    entered += 1;
  }

  @McpTool({ description: 'The same, admitted by its body' })
  @McpTask({ admission: 'manual' })
  async manual(@McpContext() ctx: McpToolContext): Promise<string> {
    signals.push(ctx.signal);
    await ctx.becomeTask();
    entered += 1;
    await finish.promise;
    return 'done';
  }
}

failOnUnhandledRejections();

let app: TasksApp;

beforeEach(async () => {
  entered = 0;
  signals = [];
  delivered = [];
  finish = deferred();
  decide = deferred();
  guarding = false;
  app = await startTasksApp({ tools: [Tools], providers: [DeliveryWitness] });
});

afterEach(async () => {
  finish.resolve();
  await app.close();
});

/** Calls a tool over a connection of its own, which the test can cut. */
function call(name: string): { cut(): void; response: Promise<{ body: string; cut(): void }> } {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
    'io.modelcontextprotocol/clientCapabilities': { extensions: { [TASKS_EXTENSION]: {} } },
  };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': PROTOCOL_VERSION,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
  const request = httpRequest(app.testing.url, { method: 'POST', headers, agent: false });
  const response = new Promise<IncomingMessage>((resolve, reject) => request.on('response', resolve).on('error', reject)).then(
    async (incoming) => {
      let body = '';
      for await (const chunk of incoming) body += String(chunk);
      return { body, cut: () => void incoming.socket.destroy() };
    },
  );
  response.catch(() => undefined);
  request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta: meta } }));
  return { cut: () => void request.destroy(), response };
}

describe('a connection that is lost before the task reached the socket', () => {
  it.each([
    ['while the store writes', 'slow'],
    ['while the store writes, at a point the body chose', 'manual'],
  ])('cancels the task and deletes it, and its body goes no further: %s', async (_when, tool) => {
    const written = deferred();
    const idle = app.clock.pendingTimers;
    app.store.before = { create: () => written.promise };
    const { cut, response } = call(tool);
    await until(() => app.store.count('create') === 1, 'the store was asked');
    cut();
    await until(() => delivered.length === 1, 'the server saw the connection go');
    expect(delivered).toEqual([false]);
    written.resolve();
    await until(() => app.store.count('delete') === 1, 'the task was deleted');
    await expect(response).rejects.toThrow();
    await until(() => app.load().running === 0, 'its slot is free');
    expect([app.store.history.length, app.store.size, entered]).toEqual([1, 0, 0]);
    expect(app.clock.pendingTimers).toBe(idle);
  });

  it('while a guard decides, leaves no task, and the body is never entered', async () => {
    const { cut } = call('guarded');
    await until(() => guarding, 'the guard was asked');
    cut();
    await until(() => delivered.length === 1, 'the server saw the connection go');
    decide.resolve();
    await until(() => app.store.count('create') === app.store.count('delete'), 'what was created is deleted');
    await turns(20);
    expect([delivered, app.store.size, app.load().running, entered]).toEqual([[false], 0, 0, 0]);
  });

  it('leaves other tasks alone', async () => {
    const taskId = await startTask(app.capable(), 'slow');
    const written = deferred();
    app.store.before = { create: () => written.promise };
    const { cut } = call('slow');
    await until(() => app.store.count('create') === 2, 'the store was asked');
    cut();
    await until(() => delivered.includes(false), 'the server saw the connection go');
    written.resolve();
    await until(() => app.store.count('delete') === 1, 'the task was deleted');
    finish.resolve();
    expect(await pollTask(app.capable(), taskId)).toMatchObject({ status: 'completed' });
  });
});

describe('a connection that is lost after that', () => {
  it.each(['slow', 'manual'])('has no effect: %s', async (tool) => {
    const { response } = call(tool);
    const { body, cut } = await response;
    const taskId = (JSON.parse(body) as { result: { taskId: string } }).result.taskId;
    await until(() => entered === 1, 'the body was entered');
    cut();
    await until(() => delivered.length === 1, 'the reply was handed over');
    await turns(20);
    expect([delivered, signals[0]!.aborted]).toEqual([[true], false]);
    finish.resolve();
    expect(await pollTask(app.capable(), taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: 'done' }] } });
    expect(app.store.count('delete')).toBe(0);
  });
});
