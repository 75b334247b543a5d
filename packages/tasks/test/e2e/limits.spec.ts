import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { answerInput, pollTask } from '@mocapi/testing';
import { Injectable, UseInterceptors } from '@nestjs/common';
import { catchError, of, retry, tap, timeout } from 'rxjs';
import { deferred, turns, until, type Deferred } from './support/flow.js';
import { ask, yes } from './support/questions.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';
import { failOnUnhandledRejections } from './support/unhandled-rejections.js';

let entered: string[];
let finish: Deferred;
let retries: number;
let gaveUp: Deferred;

@Injectable()
class Tools {
  @McpTool({ description: 'Holds its slot' })
  @McpTask({ ttl: 'PT1M' })
  async slow(@McpContext() ctx: McpToolContext): Promise<string> {
    entered.push(`slow ${ctx.envelope.clientInfo?.title ?? ''}`.trim());
    await finish.promise;
    return 'done';
  }

  @McpTool({ description: 'Asks, then ends' })
  @McpTask()
  async asking(@McpContext() ctx: McpToolContext): Promise<string> {
    entered.push('asking');
    return (await ask(ctx, 'sure')).action;
  }

  @McpTool({ description: 'Gives up after 5 ms' })
  @McpTask()
  @UseInterceptors({ intercept: (_context, next) => next.handle().pipe(timeout(5), tap({ error: () => gaveUp.resolve() })) })
  impatient(): string {
    entered.push('impatient');
    return 'done';
  }

  @McpTool({ description: 'With a fallback' })
  @McpTask()
  @UseInterceptors({ intercept: (_context, next) => next.handle().pipe(catchError(() => of('fallback'))) })
  caught(): string {
    entered.push('caught');
    return 'done';
  }

  @McpTool({ description: 'Retried' })
  @McpTask()
  @UseInterceptors({
    intercept: (_context, next) => {
      retries = 0;
      return next.handle().pipe(retry({ count: 3, delay: () => of(++retries) }));
    },
  })
  retried(): string {
    entered.push('retried');
    return 'done';
  }
}

failOnUnhandledRejections();

let app: TasksApp | undefined;

async function start(limits: { maxRunning?: number; maxQueued?: number; maxRecords?: number } = {}): Promise<TasksApp> {
  return (app = await startTasksApp({ tools: [Tools], tasks: { limits } }));
}

beforeEach(() => {
  entered = [];
  finish = deferred();
  gaveUp = deferred();
});

afterEach(async () => {
  finish.resolve();
  await app?.close();
});

describe('the limit of what runs at once', () => {
  it('lets the rest wait, working, in the order they came', async () => {
    const { capable, load } = await start({ maxRunning: 2 });
    const ids: string[] = [];
    for (const title of ['1', '2', '3', '4']) {
      const meta = { 'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1', title } };
      const { result } = await capable().callTool('slow', {}, { meta });
      ids.push(result!.taskId!);
      expect(result?.status).toBe('working');
    }
    await turns();
    expect([entered, load()]).toEqual([['slow 1', 'slow 2'], { running: 2, queued: 2, zombies: 0 }]);
    finish.resolve();
    for (const id of ids) expect(await pollTask(capable(), id)).toMatchObject({ status: 'completed' });
    expect(entered).toEqual(['slow 1', 'slow 2', 'slow 3', 'slow 4']);
    expect(load()).toEqual({ running: 0, queued: 0, zombies: 0 });
  });

  it('does not bind synchronous calls', async () => {
    const { capable, plain } = await start({ maxRunning: 1, maxQueued: 0 });
    await startTask(capable(), 'slow');
    expect((await plain().callTool('asking')).result).toMatchObject({ resultType: 'input_required' });
  });
});

describe('when the queue is full', () => {
  it('a call is answered -32603 with a time to come back, nothing is stored and the body not entered', async () => {
    const { capable, store, load } = await start({ maxRunning: 1, maxQueued: 1 });
    await startTask(capable(), 'slow');
    await startTask(capable(), 'slow');
    await turns();
    store.calls.length = 0;
    const { status, error } = await capable().callTool('slow');
    expect([status, error]).toEqual([429, { code: -32603, message: expect.any(String), data: { retryAfterMs: expect.any(Number) } }]);
    expect((error!.data as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(0);
    expect([store.calls, store.size, load(), entered]).toEqual([[], 2, { running: 1, queued: 1, zombies: 0 }, ['slow']]);
  });

  it('an answer that would resume its task is refused too and changes nothing, and counts once there is room', async () => {
    const { capable, store, load } = await start({ maxRunning: 1, maxQueued: 0 });
    const taskId = await startTask(capable(), 'asking');
    await pollTask(capable(), taskId);
    await startTask(capable(), 'slow');
    const before = store.last(taskId);
    const { error } = await answerInput(capable(), { taskId }, yes('sure'));
    expect(error).toEqual({ code: -32603, message: expect.any(String), data: { retryAfterMs: 1000 } });
    expect([store.last(taskId), entered, load()]).toEqual([before, ['asking', 'slow'], { running: 1, queued: 0, zombies: 0 }]);
    finish.resolve();
    await until(() => load().running === 0, 'the place is free');
    expect((await answerInput(capable(), { taskId }, yes('sure'))).error).toBeUndefined();
    expect(await pollTask(capable(), taskId)).toMatchObject({ status: 'completed' });
  });

  it('is no fault to be logged as an error', async () => {
    const { capable, testing } = await start({ maxRunning: 1, maxQueued: 0 });
    await startTask(capable(), 'slow');
    await capable().callTool('slow');
    expect(testing.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('when the store is full', () => {
  it('a call is answered -32603 with a time to come back, and gives its slot back', async () => {
    const { capable, store, load } = await start({ maxRecords: 1 });
    const taskId = await startTask(capable(), 'asking');
    await pollTask(capable(), taskId);
    const { status, error } = await capable().callTool('asking');
    expect([status, error]).toEqual([429, { code: -32603, message: expect.any(String), data: { retryAfterMs: expect.any(Number) } }]);
    expect([store.size, load().running, entered]).toEqual([1, 0, ['asking']]);
  });

  it('room comes with the expiry of a task', async () => {
    const { capable, clock } = await start({ maxRecords: 1 });
    await startTask(capable(), 'slow');
    expect((await capable().callTool('slow')).error?.code).toBe(-32603);
    await clock.advance(60_001);
    expect((await capable().callTool('slow')).result?.resultType).toBe('task');
  });
});

describe('a store that fails to create', () => {
  it.each(['slow', 'caught', 'retried'])(
    'is -32603 whatever an interceptor makes of it, with the cause in the log alone: %s',
    async (tool) => {
      const { capable, store, load, testing } = await start();
      store.before = {
        create: () => {
          throw new Error('secret: no connection');
        },
      };
      const { status, error, raw } = await capable().callTool(tool);
      expect([status, error]).toEqual([200, { code: -32603, message: 'Internal error', data: { errorId: expect.any(String) } }]);
      expect(raw).not.toMatch(/secret|fallback/);
      const { errorId } = error!.data as { errorId: string };
      const logged = testing.logs.filter(({ message }) => message.includes(errorId));
      expect([logged.length, logged[0]?.details]).toEqual([1, expect.stringContaining('secret: no connection')]);
      expect([store.count('create'), store.size, entered, load().running]).toEqual([1, 0, [], 0]);
    },
  );

  it('is asked once though an interceptor did retry', async () => {
    const { capable, store } = await start();
    store.before = { create: () => Promise.reject(new Error('down')) };
    await capable().callTool('retried');
    expect([retries, store.count('create')]).toEqual([3, 1]);
  });
});

describe('a timeout that fires while the call waits for its slot', () => {
  it('ends the task, gives its place in the queue back and never lets the body start', async () => {
    const { capable, load } = await start({ maxRunning: 1 });
    await startTask(capable(), 'slow');
    const taskId = await startTask(capable(), 'impatient');
    expect(await pollTask(capable(), taskId)).toMatchObject({ status: 'completed', result: { isError: true } });
    expect(load()).toEqual({ running: 1, queued: 0, zombies: 0 });
    finish.resolve();
    await until(() => load().running === 0, 'the first has ended');
    await turns(10);
    expect(entered).toEqual(['slow']);
  });

  it('while the store is still writing, leaves no task that waits for ever', async () => {
    const { capable, store, load } = await start();
    const written = deferred();
    store.before = { create: () => written.promise };
    const reply = capable().callTool('impatient');
    await until(() => store.count('create') === 1, 'the store was asked');
    await gaveUp.promise;
    written.resolve();
    const { result } = await reply;
    expect(result?.resultType).toBe('task');
    expect(await pollTask(capable(), result!.taskId!)).toMatchObject({ status: 'completed', result: { isError: true } });
    await turns(10);
    expect([entered, load()]).toEqual([[], { running: 0, queued: 0, zombies: 0 }]);
  });
});
