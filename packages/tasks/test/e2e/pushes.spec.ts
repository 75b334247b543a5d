import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, newTaskId, type TaskKey, taskKeyOf, TaskStore, TaskWatches, withStatusMessage } from '@mocapi/tasks';
import { answerInput, type McpListenStream } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { DelegatingStore } from './support/delegating-store.js';
import { deferred, turns, until, type Deferred } from './support/flow.js';
import { ask, yes } from './support/questions.js';
import { startTask, startTasksApp, type TasksApp, type TasksAppOptions } from './support/tasks-app.js';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

let finish: Deferred;

@Injectable()
class Tools {
  @McpTool({ description: 'Ends when the test says' })
  @McpTask()
  async slow(): Promise<string> {
    await finish.promise;
    return 'done';
  }

  @McpTool({ description: 'Asks, then fails' })
  @McpTask()
  async asking(@McpContext() ctx: McpToolContext): Promise<string> {
    await ask(ctx, 'sure');
    throw new Error('no');
  }
}

let app: TasksApp;

beforeEach(() => void (finish = deferred()));
afterEach(async () => {
  finish.resolve();
  await app.close();
});

async function start(options: Partial<TasksAppOptions> = {}): Promise<void> {
  app = await startTasksApp({ tools: [Tools], server: { limits: { maxListensPerPrincipal: 1_000, maxListens: 1_000 } }, ...options });
}

async function listen(taskIds: readonly string[], user?: string): Promise<McpListenStream> {
  const stream = await app.capable(user).listen({ taskIds });
  await stream.acknowledged();
  return stream;
}

/** Changes the task as an engine of any node would. */
async function say(taskId: string, message: string, user?: string): Promise<void> {
  await app.store.update(keyOf(taskId, user), (record) => withStatusMessage(record, message));
}

function keyOf(taskId: string, user?: string): TaskKey {
  return taskKeyOf(user === undefined ? undefined : { id: user }, taskId);
}

function watched(): number {
  return app.testing.app.get(TaskWatches, { strict: false }).size;
}

/** What `tasks/get` says of the task, in the form of a notification. */
async function got(taskId: string, stream: McpListenStream, user?: string): Promise<object> {
  const { resultType: _resultType, _meta, ...task } = (await app.capable(user).request('tasks/get', { taskId })).result!;
  return { jsonrpc: '2.0', method: 'notifications/tasks', params: { ...task, _meta: { [SUBSCRIPTION_ID]: stream.id } } };
}

describe('listening to a task', () => {
  beforeEach(() => start());

  it('is acknowledged with its id, and then tells its state at once, as tasks/get does', async () => {
    const taskId = await startTask(app.capable(), 'slow');
    const stream = await app.capable().listen({ taskIds: [taskId] });
    expect(await stream.acknowledged()).toEqual({ taskIds: [taskId] });
    expect(await stream.next()).toEqual(await got(taskId, stream));
  });

  it('tells every state up to the last, each as tasks/get does, and then the task is watched no more', async () => {
    const taskId = await startTask(app.capable(), 'asking');
    await until(() => app.store.last(taskId)?.status === 'input_required', 'the task asks');
    const stream = await listen([taskId]);
    const asked = await stream.next();
    expect(asked).toEqual(await got(taskId, stream));
    expect(asked.params).toMatchObject({ status: 'input_required', inputRequests: { sure: { method: 'elicitation/create' } } });
    await answerInput(app.capable(), { taskId }, yes('sure'));
    await until(() => stream.messages.at(-1)?.params?.status === 'completed', 'the end was told');
    expect(stream.messages.at(-1)).toEqual(await got(taskId, stream));
    await until(() => watched() === 0, 'the task is watched no more');
    expect(app.clock.pendingTimers).toBe(3); // The sweeper of the store, the node's next sign of life, and its next check of what runs.
  });

  it('tells the end of a task that has ended before, once', async () => {
    const taskId = await startTask(app.capable(), 'slow');
    finish.resolve();
    await until(() => app.store.last(taskId)?.status === 'completed', 'the task has ended');
    const stream = await listen([taskId]);
    expect(await stream.next()).toEqual(await got(taskId, stream));
    await turns(10);
    expect([stream.messages.length, watched()]).toEqual([2, 0]);
  });

  it('tells a task that was cancelled', async () => {
    const taskId = await startTask(app.capable(), 'slow');
    const stream = await listen([taskId]);
    await stream.next();
    await app.capable().request('tasks/cancel', { taskId });
    expect((await stream.next()).params).toMatchObject({ taskId, status: 'cancelled' });
  });

  it('never goes back in time, and never tells a state that was not there, however fast it changes', async () => {
    const taskId = await startTask(app.capable(), 'slow');
    const opening = listen([taskId]);
    for (let index = 0; index < 300; index++) {
      await say(taskId, String(index));
      if (index % 7 === 0) await turns(1);
    }
    const stream = await opening;
    await until(() => stream.messages.at(-1)?.params?.statusMessage === '299', 'the last state was told');
    const [acknowledgement, ...told] = stream.messages;
    expect(acknowledgement!.method).toBe('notifications/subscriptions/acknowledged');
    const messages = told.map(({ params }) => Number(params?.statusMessage ?? -1));
    expect(messages).toEqual([...new Set(messages)].toSorted((one, other) => one - other));
    expect(messages.length).toBeGreaterThan(2);
  });

  it('sends neither progress nor log messages', async () => {
    const taskId = await startTask(app.capable(), 'slow');
    const stream = await app
      .capable()
      .listen({ taskIds: [taskId] }, { meta: { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' } });
    await stream.acknowledged();
    await say(taskId, '1/2');
    await until(() => stream.messages.at(-1)?.params?.statusMessage === '1/2', 'the progress came as a state');
    expect(new Set(stream.messages.slice(1).map(({ method }) => method))).toEqual(new Set(['notifications/tasks']));
  });
});

describe('the extension', () => {
  it.each([[['x']], [[]], ['no list']])(
    'must be declared by who uses taskIds, or the answer is -32021 and no store is asked: %p',
    async (taskIds) => {
      await start();
      const stream = await app.plain().listen({ toolsListChanged: true, taskIds });
      await stream.ended;
      expect([stream.status, stream.error?.code, stream.error?.data]).toEqual([
        400,
        -32021,
        { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
      ]);
      expect(app.store.calls).toEqual([]);
    },
  );

  it.each([['no list'], [[1]], [{}], [null]])('declared, what is no list of ids is -32602: %p', async (taskIds) => {
    await start();
    const stream = await app.capable().listen({ taskIds });
    await stream.ended;
    expect([stream.status, stream.error?.code]).toEqual([200, -32602]);
  });
});

describe('ids that are no tasks of the caller', () => {
  beforeEach(() => start());

  it('are left out of the acknowledgement in silence, all alike: of another, of nobody, unknown, expired, of the wrong form', async () => {
    const [own, others, nobodys, expired] = await Promise.all([
      startTask(app.capable('alice'), 'slow'),
      startTask(app.capable('bob'), 'slow'),
      startTask(app.capable(), 'slow'),
      startTask(app.capable('alice'), 'slow'),
    ]);
    await app.store.delete(keyOf(expired, 'alice'));
    const before = app.store.count('get');
    const stream = await app
      .capable('alice')
      .listen({ taskIds: [others, nobodys, own, own, newTaskId(), expired, 'short', '', `${own}=`] });
    expect(await stream.acknowledged()).toEqual({ taskIds: [own] });
    await stream.next();
    // Each of the right form was looked up once, along the same path; the rest never reached the store. The last read is that of the first state.
    expect(app.store.count('get') - before).toBe(5 + 1);
  });

  it('never tell anything', async () => {
    const others = await startTask(app.capable('bob'), 'slow');
    const stream = await listen([others], 'alice');
    await say(others, 'secret', 'bob');
    await app.clock.advance(30_000);
    finish.resolve();
    await until(() => app.store.last(others)?.status === 'completed', 'the task has ended');
    await turns(20);
    expect([stream.messages.length, watched()]).toEqual([1, 0]);
  });

  it.each([[[]], [['nonsense']]])('alone make an empty acknowledgement: %p', async (taskIds) => {
    const stream = await app.capable().listen({ taskIds });
    expect(await stream.acknowledged()).toEqual({ taskIds: [] });
    expect(app.store.count('get')).toBe(0);
  });
});

describe('many who listen to one task', () => {
  it('cost one read for each change, and nothing once they have left', async () => {
    await start();
    const taskId = await startTask(app.capable(), 'slow');
    const timers = app.clock.pendingTimers;
    const streams = await Promise.all(Array.from({ length: 200 }, () => listen([taskId])));
    await Promise.all(streams.map((stream) => stream.next()));
    await turns(20);
    for (const message of ['one', 'two']) {
      const before = app.store.count('get');
      await say(taskId, message);
      for (const stream of streams) expect((await stream.next()).params?.statusMessage).toBe(message);
      await turns(5);
      expect(app.store.count('get') - before).toBe(1);
    }
    expect([watched(), app.clock.pendingTimers]).toEqual([1, timers + 1]);
    await Promise.all(streams.map((stream) => stream.close()));
    await until(() => watched() === 0, 'nobody watches');
    expect(app.clock.pendingTimers).toBe(timers);
    await say(taskId, 'three');
    // What runs is read now and then, whoever listens.
    finish.resolve();
    await until(() => app.store.last(taskId)?.status === 'completed', 'the task has ended');
    const before = app.store.count('get');
    await app.clock.advance(60_000);
    expect(app.store.count('get')).toBe(before);
  }, 30_000);

  it('share a read that takes long, and what changes meanwhile costs one more', async () => {
    await start();
    const taskId = await startTask(app.capable(), 'slow');
    const streams = await Promise.all(Array.from({ length: 5 }, () => listen([taskId])));
    await Promise.all(streams.map((stream) => stream.next()));
    await turns(20);
    const before = app.store.count('get');
    const read = deferred();
    app.store.before = { get: () => read.promise };
    for (const message of ['one', 'two', 'three']) {
      await say(taskId, message);
      await turns(2);
    }
    read.resolve();
    for (const stream of streams) await until(() => stream.messages.at(-1)?.params?.statusMessage === 'three', 'the last state was told');
    await turns(5);
    expect(app.store.count('get') - before).toBe(2);
  });
});

describe('a change of which no hint came', () => {
  it('is found within 12 s, and looked for not before 8 s', async () => {
    await start();
    const taskId = await startTask(app.capable(), 'slow');
    const stream = await listen([taskId]);
    await stream.next();
    app.store.changeFeed.announce = () => undefined;
    await say(taskId, 'missed');
    const before = app.store.count('get');
    await app.clock.advance(7_999);
    expect([app.store.count('get'), stream.messages.length]).toEqual([before, 2]);
    await app.clock.advance(4_001);
    expect((await stream.next()).params?.statusMessage).toBe('missed');
    // And again, with nothing to tell.
    await app.clock.advance(12_000);
    await turns(5);
    expect(app.store.count('get')).toBeGreaterThan(before + 1);
    expect(stream.messages).toHaveLength(3);
  });

  it('is found the next time when the store could not be read', async () => {
    await start();
    const taskId = await startTask(app.capable(), 'slow');
    const stream = await listen([taskId]);
    await stream.next();
    app.store.before = {
      get: () => {
        throw new Error('store is down');
      },
    };
    await say(taskId, 'later');
    await until(() => app.testing.logs.some(({ message }) => message.includes('store is down')), 'the failure was logged');
    app.store.before = {};
    await app.clock.advance(12_000);
    expect((await stream.next()).params?.statusMessage).toBe('later');
  });

  it('of a task that expires the last word is that it failed, and the task is watched no more', async () => {
    await start({ tasks: { ttl: 'PT20S' } });
    const taskId = await startTask(app.capable(), 'slow');
    const stream = await listen([taskId]);
    await stream.next();
    await app.clock.advance(40_000);
    await until(() => watched() === 0, 'the task is watched no more');
    expect((await stream.next()).params).toMatchObject({ taskId, status: 'failed', error: { code: -32603, message: 'Task expired' } });
    expect(stream.messages).toHaveLength(3);
  });
});

describe('a store that cannot be read', () => {
  it('fails the request, which opens no stream and takes no place', async () => {
    await start({ server: { limits: { maxListens: 1 } } });
    const taskId = await startTask(app.capable(), 'slow');
    app.store.before = {
      get: () => {
        throw new Error('store is down');
      },
    };
    const failed = await app.capable().listen({ taskIds: [taskId] });
    await failed.ended;
    expect([failed.status, failed.error?.code, failed.error?.message]).toEqual([200, -32603, 'Internal error']);
    app.store.before = {};
    expect((await (await listen([taskId])).next()).params).toMatchObject({ taskId });
  });

  it('without a change feed leaves taskIds out of the acknowledgement', async () => {
    await start({ taskProviders: [{ provide: TaskStore, useClass: DelegatingStore }] });
    const taskId = await startTask(app.capable(), 'slow');
    const stream = await app.capable().listen({ taskIds: [taskId], toolsListChanged: true });
    expect(await stream.acknowledged()).toEqual({ toolsListChanged: true });
  });
});

describe('a server that shuts down', () => {
  it('answers the request and leaves no watch', async () => {
    await start();
    const taskId = await startTask(app.capable(), 'slow');
    const stream = await listen([taskId]);
    await stream.next();
    finish.resolve();
    await Promise.all([app.close(), stream.ended]);
    expect(stream.result).toMatchObject({ resultType: 'complete', _meta: { [SUBSCRIPTION_ID]: stream.id } });
    expect(watched()).toBe(0);
  });
});
