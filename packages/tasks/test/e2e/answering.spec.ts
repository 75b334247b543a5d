import { McpContext, McpTool, type JsonObject, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { accept, answerInput, decline, pollTask, type McpReply } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { deferred, turns } from './support/flow.js';
import { ask, yes } from './support/questions.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';

let executions: number;

@Injectable()
class Tools {
  @McpTool({ description: 'Asks once' })
  @McpTask()
  async one(@McpContext() ctx: McpToolContext): Promise<object> {
    executions += 1;
    return ask(ctx, 'sure');
  }

  @McpTool({ description: 'Asks two things at the same time' })
  @McpTask()
  async two(@McpContext() ctx: McpToolContext): Promise<object> {
    executions += 1;
    const [a, b] = await Promise.all([ask(ctx, 'a'), ask(ctx, 'b')]);
    return { a: a.action, b: b.action };
  }

  @McpTool({ description: 'Asks three things, one after the other' })
  @McpTask()
  async three(@McpContext() ctx: McpToolContext): Promise<string> {
    executions += 1;
    for (const key of ['a', 'b', 'c']) await ask(ctx, key);
    return 'done';
  }
}

let app: TasksApp;

beforeAll(async () => {
  app = await startTasksApp({ tools: [Tools] });
});

beforeEach(() => {
  executions = 0;
});

afterEach(() => {
  app.store.before = {};
});

afterAll(() => app.close());

/** A task of `tool` that waits for its client. */
async function asking(tool: string): Promise<string> {
  const taskId = await startTask(app.capable(), tool);
  expect(await pollTask(app.capable(), taskId)).toMatchObject({ status: 'input_required' });
  return taskId;
}

function update(taskId: string, inputResponses: JsonObject): Promise<McpReply> {
  return app.capable().request('tasks/update', { taskId, inputResponses });
}

const ACKNOWLEDGED = { resultType: 'complete', _meta: expect.any(Object) };

describe('a task that waits for its client', () => {
  it('shows each open question, and nothing that travels on the wire alone', async () => {
    const task = await pollTask(app.capable(), await asking('two'));
    expect(task).toMatchObject({
      resultType: 'complete',
      status: 'input_required',
      inputRequests: {
        a: { method: 'elicitation/create', params: { mode: 'form', message: 'a?', requestedSchema: { type: 'object' } } },
        b: { method: 'elicitation/create', params: { mode: 'form', message: 'b?' } },
      },
    });
    expect(JSON.stringify(task)).not.toContain('requestState');
  });

  it("is nobody's: it has no run and holds no slot", async () => {
    const taskId = await asking('one');
    expect(app.store.last(taskId)).not.toHaveProperty('run');
    expect(app.load()).toEqual({ running: 0, queued: 0, zombies: 0 });
  });
});

describe('the same answer sent twice at the same time', () => {
  it('resumes the task once, in every one of many rounds', async () => {
    for (let round = 0; round < 25; round++) {
      const taskId = await asking('one');
      executions = 0;
      const replies = await Promise.all(Array.from({ length: 4 }, () => update(taskId, yes('sure'))));
      expect(replies.map(({ result }) => result)).toEqual(replies.map(() => ACKNOWLEDGED));
      expect(await pollTask(app.capable(), taskId)).toMatchObject({ status: 'completed' });
      expect(executions).toBe(1);
    }
  });

  it('resumes it once when all of them read the task before any of them writes', async () => {
    const taskId = await asking('one');
    executions = 0;
    const gate = deferred();
    app.store.before = { update: () => gate.promise };
    const before = app.store.count('update');
    const replies = Array.from({ length: 5 }, () => update(taskId, yes('sure')));
    while (app.store.count('update') < before + 5) await turns(1);
    gate.resolve();
    await Promise.all(replies);
    app.store.before = {};
    expect(await pollTask(app.capable(), taskId)).toMatchObject({ status: 'completed' });
    expect(executions).toBe(1);
    expect(new Set(app.store.history.filter((record) => record.taskId === taskId).map(({ run }) => run?.id)).size).toBe(3);
  });

  it('keeps the first of two that differ', async () => {
    const taskId = await asking('one');
    await update(taskId, { sure: decline() });
    await update(taskId, yes('sure'));
    expect(await pollTask(app.capable(), taskId)).toMatchObject({ result: { structuredContent: { action: 'decline' } } });
  });
});

describe('answers', () => {
  it('that are partial are kept: the rest stays outstanding, and no execution starts before the last is there', async () => {
    const taskId = await asking('two');
    executions = 0;
    expect((await update(taskId, yes('b'))).result).toEqual(ACKNOWLEDGED);
    await turns(5);
    const task = await pollTask(app.capable(), taskId);
    expect(task.status === 'input_required' && Object.keys(task.inputRequests)).toEqual(['a']);
    expect(executions).toBe(0);
    await update(taskId, { a: decline() });
    expect(await pollTask(app.capable(), taskId)).toMatchObject({
      status: 'completed',
      result: { structuredContent: { a: 'decline', b: 'accept' } },
    });
    expect(executions).toBe(1);
  });

  it('of two clients at the same time, each to another question, come together in one resume', async () => {
    for (let round = 0; round < 10; round++) {
      const taskId = await asking('two');
      executions = 0;
      await Promise.all([update(taskId, yes('a')), update(taskId, yes('b'))]);
      expect(await pollTask(app.capable(), taskId)).toMatchObject({ status: 'completed' });
      expect(executions).toBe(1);
    }
  });

  it.each<[string, JsonObject]>([
    ['to a key that nobody asked at', yes('other')],
    ['at keys that every object has', yes('constructor', 'toString', 'hasOwnProperty')],
    ['that are none', {}],
    ['that are null', { sure: null }],
    ['that are a list', { sure: [accept()] }],
    ['that are a text', { sure: 'yes' }],
    ['without an action', { sure: { content: { ok: true } } }],
    ['with an unknown action', { sure: { action: 'maybe', content: { ok: true } } }],
    ['without content', { sure: { action: 'accept' } }],
    ['that do not conform to the schema', { sure: accept({ ok: 'yes' }) }],
  ])('%s are acknowledged; the question stays open and nothing starts', async (_how, inputResponses) => {
    const taskId = await asking('one');
    const before = app.store.last(taskId);
    const reply = await app.capable().request('tasks/update', { taskId, inputResponses });
    expect([reply.status, reply.result]).toEqual([200, ACKNOWLEDGED]);
    expect(app.store.last(taskId)).toBe(before);
    expect(executions).toBe(1);
    await update(taskId, yes('sure'));
    expect(await pollTask(app.capable(), taskId)).toMatchObject({ status: 'completed' });
  });

  it('of which some are good are taken, the bad ones beside them ignored', async () => {
    const taskId = await asking('two');
    await update(taskId, { ...yes('a'), b: 'nonsense', other: 1 });
    const task = await pollTask(app.capable(), taskId);
    expect(task.status === 'input_required' && Object.keys(task.inputRequests)).toEqual(['b']);
  });

  it('to a task that works or has ended are acknowledged and change nothing', async () => {
    const taskId = await asking('one');
    await update(taskId, yes('sure'));
    await pollTask(app.capable(), taskId);
    const ended = app.store.last(taskId);
    expect((await update(taskId, { sure: decline() })).result).toEqual(ACKNOWLEDGED);
    expect(app.store.last(taskId)).toBe(ended);
  });

  it('that came with the call answer nothing when the task is admitted at its start', async () => {
    const { result } = await app.capable().callTool('one', {}, { inputResponses: yes('sure') });
    expect(await pollTask(app.capable(), result!.taskId!)).toMatchObject({ status: 'input_required' });
  });
});

describe('questions one after the other', () => {
  it('are one execution each, and a key is never asked again', async () => {
    const client = app.capable();
    const taskId = await asking('three');
    const asked: string[][] = [];
    for (;;) {
      const task = await pollTask(client, taskId);
      if (task.status !== 'input_required') break;
      asked.push(Object.keys(task.inputRequests));
      await answerInput(client, { taskId }, yes(...asked.at(-1)!));
    }
    expect(asked).toEqual([['a'], ['b'], ['c']]);
    expect(executions).toBe(4);
  });
});
