import { getEventListeners } from 'node:events';
import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { answerInput, pollTask } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { aborted, deferred, turns, until, type Deferred } from './support/flow.js';
import { ask, yes } from './support/questions.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';

let signals: AbortSignal[];
let finish: Deferred<string>;

@Injectable()
class Tools {
  @McpTool({ description: 'Ends with its signal' })
  @McpTask()
  async obedient(@McpContext() ctx: McpToolContext): Promise<never> {
    signals.push(ctx.signal);
    ctx.progress(1);
    ctx.progress(2);
    throw new Error(`stopped: ${String(await aborted(ctx.signal))}`);
  }

  @McpTool({ description: 'Goes on whatever its signal does' })
  @McpTask()
  async stubborn(@McpContext() ctx: McpToolContext): Promise<string> {
    signals.push(ctx.signal);
    return finish.promise;
  }

  @McpTool({ description: 'Ends properly once it is told' })
  @McpTask()
  async closing(@McpContext() ctx: McpToolContext): Promise<string> {
    signals.push(ctx.signal);
    await aborted(ctx.signal);
    return 'saved';
  }

  @McpTool({ description: 'Asks' })
  @McpTask()
  async asking(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ask(ctx, 'sure')).action;
  }
}

let app: TasksApp;

beforeEach(async () => {
  signals = [];
  finish = deferred();
  app = await startTasksApp({ tools: [Tools] });
});

afterEach(async () => {
  finish.resolve('done');
  await app.close().catch(() => undefined);
});

/** Handles and timers that keep the process alive, by kind. */
function resources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

async function start(tool: string, count: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => startTask(app.capable(), tool)));
  return ids;
}

describe('app.close()', () => {
  it('with 100 tasks, some at work, some in the queue and some parked, tells those that run and leaves no timer, listener or handle', async () => {
    await app.close();
    const isBare = ({ TCPServerWrap, TCPSocketWrap, Timeout = 0 }: Record<string, number>): boolean =>
      !TCPServerWrap && !TCPSocketWrap && Timeout <= 1;
    // One timer is the runner's own.
    await until(() => isBare(resources()), 'nothing of the first application is left');
    const before = resources();
    app = await startTasksApp({ tools: [Tools] });
    expect(resources()).not.toEqual(before);
    await start('obedient', 64);
    await start('obedient', 16);
    const parked = await start('asking', 20);
    await until(() => signals.length === 64, 'all that may run do');
    expect(app.load()).toMatchObject({ running: 64, queued: 36 });
    await app.close();
    expect(signals.every(({ aborted: isAborted, reason }) => isAborted && reason === 'shutdown')).toBe(true);
    expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
    expect([app.clock.pendingTimers, app.load()]).toEqual([0, { running: 0, queued: 0, zombies: 0 }]);
    expect(parked.map((taskId) => app.store.last(taskId)?.status)).toEqual(parked.map(() => 'working'));
    // The client's side of the connections follows a turn or two later.
    await until(() => !('TCPSocketWrap' in resources()), 'no socket is left');
    expect(resources()).toEqual(before);
  });

  it('does not enter a body that waited in the queue', async () => {
    await app.close();
    app = await startTasksApp({ tools: [Tools], tasks: { limits: { maxRunning: 1 } } });
    await startTask(app.capable(), 'obedient');
    await startTask(app.capable(), 'obedient');
    await until(() => signals.length === 1, 'the first runs');
    await app.close();
    await turns(5);
    expect(signals).toHaveLength(1);
  });

  it('leaves a task that it broke off as it was, for whoever takes it over', async () => {
    const [taskId] = await start('obedient', 1);
    await until(() => signals.length === 1, 'it runs');
    await app.close();
    expect(app.store.last(taskId!)).toMatchObject({ status: 'working', run: { attempt: 1 } });
  });

  it('still completes a task whose body ends properly when it is told', async () => {
    const [taskId] = await start('closing', 1);
    await until(() => signals.length === 1, 'it runs');
    await app.close();
    expect(app.store.last(taskId!)).toMatchObject({ status: 'completed', result: { content: [{ text: 'saved' }] } });
  });

  it('waits 2 s for bodies that ignore their signal, and no longer', async () => {
    await start('stubborn', 3);
    await until(() => signals.length === 3, 'they run');
    const closed = app.close().then(() => 'closed');
    await until(() => signals.every((signal) => signal.aborted), 'they were told');
    await app.clock.advance(1999);
    expect(await Promise.race([closed, turns(10).then(() => 'open')])).toBe('open');
    await app.clock.advance(1);
    expect(await closed).toBe('closed');
    expect(app.clock.pendingTimers).toBe(0);
    expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
  });

  it('is not held by a body that was given up on', async () => {
    const [taskId] = await start('stubborn', 1);
    await until(() => signals.length === 1, 'it runs');
    await app.capable().request('tasks/cancel', { taskId: taskId! });
    await app.clock.advance(10_000);
    expect(app.load()).toEqual({ running: 0, queued: 0, zombies: 1 });
    expect(app.testing.logs.some(({ level, message }) => level === 'warn' && /still runs after it was aborted/.test(message))).toBe(true);
    await app.close();
    expect(app.clock.pendingTimers).toBe(0);
  });

  it('lets go of everything after many tasks that ended by themselves', async () => {
    for (const taskId of await start('asking', 10)) {
      await pollTask(app.capable(), taskId);
      await answerInput(app.capable(), { taskId }, yes('sure'));
      await pollTask(app.capable(), taskId);
    }
    expect(app.load()).toEqual({ running: 0, queued: 0, zombies: 0 });
    // A sweep of the store, a sign of life and a check of what runs are due, and nothing else.
    expect(app.clock.pendingTimers).toBe(3);
    await app.close();
    expect(app.clock.pendingTimers).toBe(0);
  });
});
