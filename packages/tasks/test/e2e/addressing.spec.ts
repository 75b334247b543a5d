import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, newTaskId, TASKS_EXTENSION } from '@mocapi/tasks';
import { pollTask } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { ask, yes } from './support/questions.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';

@Injectable()
class Tools {
  @McpTool({ description: 'Asks' })
  @McpTask({ ttl: 'PT1M' })
  async asking(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ask(ctx, 'sure')).action;
  }
}

const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const;

let app: TasksApp;

beforeAll(async () => {
  app = await startTasksApp({ tools: [Tools] });
});

afterAll(() => app.close());

/** The whole answer to a client whose first request this is. */
async function answer(
  method: string,
  taskId: unknown,
  user: string | null = 'alice',
): Promise<{ status: number; raw: string; headers: Record<string, string> }> {
  const params = { taskId, ...(method === 'tasks/update' ? { inputResponses: yes('sure') } : {}) };
  const { status, raw, headers } = await app.capable(user ?? undefined).request(method, params as never);
  const { date: _date, ...rest } = Object.fromEntries(headers);
  return { status, raw, headers: rest };
}

describe.each(METHODS)('%s answers with the same bytes', (method) => {
  it('an id that is unknown, one of somebody else and one that has expired', async () => {
    const unknown = await answer(method, newTaskId());
    expect(unknown.status).toBe(200);
    expect(JSON.parse(unknown.raw)).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unknown task' } });

    const taskId = await startTask(app.capable('alice'), 'asking');
    await pollTask(app.capable('alice'), taskId);
    expect(await answer(method, taskId, 'bob')).toEqual(unknown);
    expect(await answer(method, taskId, null)).toEqual(unknown);

    // At its very deadline it lives; a millisecond later it does not.
    await app.clock.advance(60_000);
    expect((await app.capable('alice').request('tasks/get', { taskId })).result).toMatchObject({ status: 'input_required' });
    await app.clock.advance(1);
    expect(await answer(method, taskId)).toEqual(unknown);
  });

  it.each([
    ['missing', undefined],
    ['no text', 42],
    ['null', null],
    ['an object', { toString: 'x' }],
    ['empty', ''],
    ['too short', newTaskId().slice(1)],
    ['too long', `${newTaskId()}A`],
    ['of other characters', `${newTaskId().slice(1)}=`],
    ['with a line end', `${newTaskId()}\n`],
    ['a path', '../../etc/passwd'],
  ])('an id that is %s, without asking the store', async (_form, taskId) => {
    const unknown = await answer(method, newTaskId());
    app.store.calls.length = 0;
    const refused = await answer(method, taskId);
    expect(refused).toEqual(unknown);
    expect(app.store.calls).toEqual([]);
  });

  it('to a foreign caller, whatever state the task is in', async () => {
    const unknown = await answer(method, newTaskId(), 'bob');
    const taskId = await startTask(app.capable('alice'), 'asking');
    await app.capable('alice').request('tasks/cancel', { taskId });
    expect(await answer(method, taskId, 'bob')).toEqual(unknown);
    expect(app.store.last(taskId)?.status).toBe('cancelled');
  });
});

describe('a foreign caller', () => {
  it('changes nothing', async () => {
    const taskId = await startTask(app.capable('alice'), 'asking');
    await pollTask(app.capable('alice'), taskId);
    const before = app.store.last(taskId);
    for (const method of METHODS) await answer(method, taskId, 'bob');
    expect(app.store.last(taskId)).toBe(before);
  });
});

describe('inputResponses of the wrong form', () => {
  it.each([
    ['missing', undefined],
    ['a list', [{ action: 'accept' }]],
    ['null', null],
    ['a text', 'yes'],
    ['a number', 1],
  ])('(%s) is refused in the same words for every id; the store is not asked and nothing consumed', async (_form, inputResponses) => {
    const taskId = await startTask(app.capable('alice'), 'asking');
    await pollTask(app.capable('alice'), taskId);
    const before = app.store.last(taskId);
    app.store.calls.length = 0;
    for (const id of [taskId, newTaskId()]) {
      const { error, status } = await app
        .capable('alice')
        .request('tasks/update', { taskId: id, ...(inputResponses === undefined ? {} : { inputResponses }) });
      const message = 'params.inputResponses must be an object of answers by key';
      expect([status, error]).toEqual([200, { code: -32602, message }]);
    }
    expect(app.store.calls).toEqual([]);
    expect(app.store.last(taskId)).toBe(before);
    await app.capable('alice').request('tasks/update', { taskId, inputResponses: yes('sure') });
    expect(await pollTask(app.capable('alice'), taskId)).toMatchObject({ status: 'completed' });
  });
});

describe('a client that did not declare the extension on this request', () => {
  it.each(METHODS)('gets -32021 from %s, with 400, before anything is looked up', async (method) => {
    const taskId = await startTask(app.capable('alice'), 'asking');
    await pollTask(app.capable('alice'), taskId);
    app.store.calls.length = 0;
    const bodies: string[] = [];
    for (const id of [taskId, newTaskId(), 'no id at all']) {
      const reply = await app.plain('alice').request(method, { taskId: id, inputResponses: yes('sure') });
      expect(reply.status).toBe(400);
      bodies.push(reply.raw);
    }
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0]!).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
    });
    expect(app.store.calls).toEqual([]);
  });
});

describe('the routing header Mcp-Name of a task method', () => {
  it.each(METHODS)('must be there and repeat the id: %s', async (method) => {
    const taskId = await startTask(app.capable('alice'), 'asking');
    app.store.calls.length = 0;
    for (const name of [undefined, newTaskId()]) {
      const { status, error } = await app.capable('alice').request(method, { taskId }, { headers: { 'mcp-name': name } });
      expect([status, error?.code]).toEqual([400, -32020]);
    }
    expect(app.store.calls).toEqual([]);
  });
});

describe('another client of the same caller', () => {
  it('can take a task over by its id', async () => {
    const taskId = await startTask(app.capable('alice'), 'asking');
    const fresh = app.testing.client({ headers: { 'x-user': 'alice' } }).withTasks();
    expect(await pollTask(fresh, taskId)).toMatchObject({ status: 'input_required' });
    await fresh.request('tasks/update', { taskId, inputResponses: yes('sure') });
    expect(await pollTask(fresh, taskId)).toMatchObject({ status: 'completed' });
  });
});
