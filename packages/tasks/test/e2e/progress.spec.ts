import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { pollTask } from '@mocapi/testing';
import { Injectable, UseInterceptors } from '@nestjs/common';
import { retry } from 'rxjs';
import { deferred, until, type Deferred } from './support/flow.js';
import { scriptedTool, type Body } from './support/scripted-tool.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';
import { failOnUnhandledRejections } from './support/unhandled-rejections.js';

let body: Body;
let context: McpToolContext;
let finish: Deferred;

@Injectable()
class Tools {
  @McpTool({ description: 'The same, retried' })
  @McpTask()
  @UseInterceptors({ intercept: (_context, next) => next.handle().pipe(retry(1)) })
  retried(@McpContext() ctx: McpToolContext): unknown {
    return body(ctx);
  }
}

failOnUnhandledRejections();

let app: TasksApp;

beforeAll(async () => {
  app = await startTasksApp({ tools: [scriptedTool(() => body), Tools] });
});

beforeEach(() => {
  finish = deferred();
  body = async (ctx) => {
    context = ctx;
    entered.resolve();
    await finish.promise;
    return 'done';
  };
  entered = deferred();
});

afterEach(async () => {
  finish.resolve();
  await until(() => app.load().running === 0, 'every body has ended');
});

afterAll(() => app.close());

let entered: Deferred;

async function running(): Promise<string> {
  const taskId = await startTask(app.capable(), 'scripted');
  await entered.promise;
  return taskId;
}

const messageOf = async (taskId: string): Promise<string | undefined> =>
  (await pollTask(app.capable(), taskId, { until: () => true })).statusMessage;
const versionOf = (taskId: string): number => app.store.last(taskId)!.version;

describe('progress of a task', () => {
  it.each<[string, [number, number?, string?]]>([
    ['3/10: note', [3, 10, 'note']],
    ['3: note', [3, undefined, 'note']],
    ['3/10', [3, 10]],
    ['3', [3]],
    ['0.5/1', [0.5, 1, '']],
  ])('is its status message: %s', async (text, [progress, total, message]) => {
    const taskId = await running();
    context.progress(progress, total, message);
    expect(await messageOf(taskId)).toBe(text);
  });

  it('is written at most once in 250 ms: the first at once, then the latest alone', async () => {
    const taskId = await running();
    for (let done = 1; done <= 50; done++) context.progress(done, 100);
    expect(await messageOf(taskId)).toBe('1/100');
    await app.clock.advance(249);
    expect(await messageOf(taskId)).toBe('1/100');
    await app.clock.advance(1);
    expect(await messageOf(taskId)).toBe('50/100');
    expect(versionOf(taskId)).toBe(3);
    await app.clock.advance(1000);
    context.progress(51, 100);
    expect(await messageOf(taskId)).toBe('51/100');
    expect(versionOf(taskId)).toBe(4);
  });

  it('holds its last value when the task ends, in the one write that ends it', async () => {
    const taskId = await running();
    context.progress(1, 3);
    context.progress(3, 3, 'all');
    finish.resolve();
    expect(await pollTask(app.capable(), taskId)).toMatchObject({ status: 'completed', statusMessage: '3/3: all' });
    expect(versionOf(taskId)).toBe(3);
  });

  it('gives way to the message of an error that fails the task', async () => {
    const { McpError } = await import('@mocapi/core');
    body = (ctx) => {
      ctx.progress(1);
      ctx.progress(2);
      throw new McpError(1050, 'out of stock');
    };
    expect(await pollTask(app.capable(), await startTask(app.capable(), 'scripted'))).toMatchObject({ statusMessage: 'out of stock' });
  });

  it('is a courtesy: a write of it that fails harms nothing', async () => {
    const taskId = await running();
    app.store.before = {
      update: () => {
        app.store.before = {};
        throw new Error('the store is down');
      },
    };
    context.progress(1);
    await until(() => app.store.before.update === undefined, 'the write has failed');
    context.progress(2);
    finish.resolve();
    expect(await pollTask(app.capable(), taskId)).toMatchObject({ status: 'completed', statusMessage: '2' });
  });

  it('ends with the task: nothing is written after it, and no timer is left', async () => {
    const taskId = await running();
    const timers = app.clock.pendingTimers;
    context.progress(1);
    context.progress(2);
    expect(app.clock.pendingTimers).toBe(timers + 1);
    finish.resolve();
    await pollTask(app.capable(), taskId);
    expect(() => context.progress(3)).not.toThrow();
    const ended = app.store.last(taskId);
    await app.clock.advance(1000);
    expect(app.store.last(taskId)).toBe(ended);
    // The body's own watch over the deadline is gone too.
    expect(app.clock.pendingTimers).toBe(timers - 1);
  });
});

describe('a value that does not increase', () => {
  const BAD: [string, number[]][] = [
    ['the same again', [1, 1]],
    ['less', [2, 1]],
    ['no number', [Number.NaN]],
    ['infinite', [Infinity]],
  ];
  it.each(BAD)('(%s) is dropped alike in a task, in a call with a progress token and in one without', async (_what, values) => {
    body = (ctx) => {
      for (const value of values) ctx.progress(value);
      return 'taken';
    };
    const task = await pollTask(app.capable(), await startTask(app.capable(), 'scripted'));
    const withToken = await app.plain().callTool('scripted', {}, { meta: { progressToken: 1 } });
    const without = await app.plain().callTool('scripted');
    for (const content of [task.status === 'completed' && task.result.content, withToken.result?.content, without.result?.content])
      expect(content).toEqual([{ type: 'text', text: 'taken' }]);
    expect(withToken.notifications.map(({ params }) => params?.progress)).toEqual(values.slice(0, 1).filter(Number.isFinite));
  });

  it('may come when the body starts anew', async () => {
    let runs = 0;
    body = (ctx) => {
      ctx.progress(1);
      if (++runs === 1) throw new Error('again');
      return 'done';
    };
    expect(await pollTask(app.capable(), await startTask(app.capable(), 'retried'))).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'done' }] },
    });
    expect(runs).toBe(2);
  });
});
