import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { answerInput, pollTask, type McpReply } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { aborted, deferred, turns, until, type Deferred } from './support/flow.js';
import { ask, yes } from './support/questions.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';
import { failOnUnhandledRejections } from './support/unhandled-rejections.js';

let entered: string[];
let signal: AbortSignal;
let finish: Deferred<string>;
let progress: McpToolContext['progress'];

@Injectable()
class Tools {
  @McpTool({ description: 'Ends when the test says, whatever its signal does' })
  @McpTask({ ttl: 'PT1M' })
  async slow(@McpContext() ctx: McpToolContext): Promise<string> {
    entered.push('slow');
    signal = ctx.signal;
    progress = ctx.progress;
    return finish.promise;
  }

  @McpTool({ description: 'Ends with its signal' })
  @McpTask()
  async obedient(@McpContext() ctx: McpToolContext): Promise<never> {
    entered.push('obedient');
    signal = ctx.signal;
    throw new Error(`stopped: ${String(await aborted(ctx.signal))}`);
  }

  @McpTool({ description: 'Asks, then works' })
  @McpTask()
  async asking(@McpContext() ctx: McpToolContext): Promise<string> {
    entered.push('asking');
    await ask(ctx, 'sure');
    return finish.promise;
  }
}

failOnUnhandledRejections();

let app: TasksApp;

beforeAll(async () => {
  app = await startTasksApp({ tools: [Tools], tasks: { limits: { maxRunning: 1 } } });
});

beforeEach(() => {
  entered = [];
  finish = deferred();
});

afterEach(async () => {
  finish.resolve('released');
  await until(() => app.load().running === 0, 'every body has ended');
});

afterAll(() => app.close());

const cancel = (taskId: string): Promise<McpReply> => app.capable().request('tasks/cancel', { taskId });
const get = async (taskId: string): Promise<McpReply['result']> => (await app.capable().request('tasks/get', { taskId })).result;

/** A task whose body was entered. */
async function running(tool: string): Promise<string> {
  const taskId = await startTask(app.capable(), tool);
  await until(() => entered.includes(tool), `${tool} was entered`);
  return taskId;
}

describe('cancelling a task that works', () => {
  it('is acknowledged at once, flips the record and fires the signal of the body with its reason', async () => {
    const taskId = await running('slow');
    expect((await cancel(taskId)).result).toEqual({ resultType: 'complete', _meta: expect.any(Object) });
    expect([signal.aborted, signal.reason]).toEqual([true, 'cancelled']);
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
  });

  it('wins against a body that finishes: it stays cancelled and the result is dropped', async () => {
    const taskId = await running('slow');
    await cancel(taskId);
    const cancelled = app.store.last(taskId);
    finish.resolve('a result');
    await until(() => app.load().running === 0, 'the body has ended');
    expect(app.store.last(taskId)).toBe(cancelled);
    expect(await get(taskId)).not.toHaveProperty('result');
  });

  it('wins though the write of the result began before it', async () => {
    const taskId = await running('slow');
    const gate = deferred();
    const held = app.store.count('update');
    app.store.before = { update: () => (app.store.count('update') === held + 1 ? gate.promise : undefined) };
    finish.resolve('a result');
    await until(() => app.store.count('update') === held + 1, 'the result is on its way');
    await cancel(taskId);
    gate.resolve();
    await until(() => app.load().running === 0, 'the result was written, or not');
    app.store.before = {};
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
  });

  it('loses against one that has finished, is acknowledged and changes nothing', async () => {
    const taskId = await running('slow');
    finish.resolve('a result');
    await pollTask(app.capable(), taskId);
    const ended = app.store.last(taskId);
    expect((await cancel(taskId)).error).toBeUndefined();
    expect(app.store.last(taskId)).toBe(ended);
    expect(signal.aborted).toBe(false);
  });

  it('can be repeated', async () => {
    const taskId = await running('slow');
    await cancel(taskId);
    const cancelled = app.store.last(taskId);
    expect((await cancel(taskId)).error).toBeUndefined();
    expect(app.store.last(taskId)).toBe(cancelled);
  });

  it('does not log the error that a body makes of its signal, and gives its slot to the next', async () => {
    const taskId = await running('obedient');
    const errors = app.testing.logs.filter(({ level }) => level === 'error').length;
    await cancel(taskId);
    await until(() => app.load().running === 0, 'the body has ended');
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
    expect(app.testing.logs.filter(({ level }) => level === 'error')).toHaveLength(errors);
  });

  it('lets the body that goes on report progress into nothing', async () => {
    const taskId = await running('slow');
    await cancel(taskId);
    const cancelled = app.store.last(taskId);
    finish.resolve('over');
    await until(() => app.load().running === 0, 'the body has ended');
    expect(() => progress(1)).not.toThrow();
    expect(app.store.last(taskId)).toBe(cancelled);
  });
});

describe('cancelling a task whose body was not entered yet', () => {
  it('never enters it', async () => {
    await running('slow');
    const taskId = await startTask(app.capable(), 'obedient');
    expect(app.load()).toMatchObject({ running: 1, queued: 1 });
    await cancel(taskId);
    await until(() => app.load().queued === 0, 'it has left the queue');
    finish.resolve('done');
    await until(() => app.load().running === 0, 'the first has ended');
    await turns(10);
    expect(entered).toEqual(['slow']);
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
  });

  it('never enters it again when its resume waits in the queue', async () => {
    const taskId = await running('asking');
    await pollTask(app.capable(), taskId);
    await running('slow');
    await answerInput(app.capable(), { taskId }, yes('sure'));
    expect(await get(taskId)).toMatchObject({ status: 'working' });
    await cancel(taskId);
    finish.resolve('done');
    await until(() => app.load().running === 0 && app.load().queued === 0, 'everything has ended');
    expect(entered).toEqual(['asking', 'slow']);
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
  });
});

describe('cancelling a task that waits for its client', () => {
  it('takes its questions away; a late answer is acknowledged and starts nothing', async () => {
    const taskId = await running('asking');
    await pollTask(app.capable(), taskId);
    await cancel(taskId);
    expect(await get(taskId)).not.toHaveProperty('inputRequests');
    expect((await app.capable().request('tasks/update', { taskId, inputResponses: yes('sure') })).error).toBeUndefined();
    await turns(5);
    expect(entered).toEqual(['asking']);
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
  });
});

describe('a task that outlives its ttl', () => {
  it('tells its body by the reason expired, and then is unknown; its result goes nowhere', async () => {
    const taskId = await running('slow');
    await app.clock.advance(60_000);
    expect([signal.aborted, (await get(taskId))?.status]).toEqual([false, 'working']);
    await app.clock.advance(1);
    expect([signal.aborted, signal.reason]).toEqual([true, 'expired']);
    expect((await app.capable().request('tasks/get', { taskId })).error).toEqual({ code: -32602, message: 'Unknown task' });
    finish.resolve('late');
    await until(() => app.load().running === 0, 'the body has ended');
    expect((await app.capable().request('tasks/get', { taskId })).error?.code).toBe(-32602);
    expect(app.store.last(taskId)?.status).toBe('working');
  });
});

describe('the end of the request that created a task', () => {
  it('does not reach the body: the task works on until it is done', async () => {
    const taskId = await running('slow');
    await turns(10);
    expect(signal.aborted).toBe(false);
    finish.resolve('done');
    expect(await pollTask(app.capable(), taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: 'done' }] } });
  });
});
