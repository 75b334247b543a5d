import { McpContext, McpExecution, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { answerInput, decline, pollTask } from '@mocapi/testing';
import { Injectable, UseGuards, type ExecutionContext } from '@nestjs/common';
import { aborted, deferred, until, type Deferred } from './support/flow.js';
import { ask, yes } from './support/questions.js';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';
import { failOnUnhandledRejections } from './support/unhandled-rejections.js';

type Body = (ctx: McpToolContext) => unknown;

let body: Body;
let executions: number;
let charges: number;
let guarded: string[];

const noting = {
  canActivate(context: ExecutionContext): boolean {
    const { mode, trigger, mayBecomeTask } = McpExecution.of(context);
    guarded.push(`${mode} ${trigger} ${mayBecomeTask}`);
    return true;
  },
};

@Injectable()
class Tools {
  @McpTool({ description: 'Does what the test says' })
  @McpTask({ admission: 'manual' })
  @UseGuards(noting)
  scripted(@McpContext() ctx: McpToolContext): unknown {
    executions += 1;
    return body(ctx);
  }
}

failOnUnhandledRejections();

let app: TasksApp;

beforeAll(async () => {
  app = await startTasksApp({ tools: [Tools], tasks: { limits: { maxRunning: 2, maxQueued: 0 } } });
});

beforeEach(() => {
  executions = charges = 0;
  guarded = [];
});

afterEach(() => {
  app.store.before = {};
});

afterAll(() => app.close());

const charge = (ctx: McpToolContext, key = 'charge'): Promise<number> => ctx.step(key, () => ++charges);

/** Reserves, asks where to take it from, becomes a task, asks whether to go on. */
const importing: Body = async (ctx) => {
  const reserved = await charge(ctx, 'reserve');
  const source = await ask(ctx, 'source');
  await ctx.becomeTask();
  const imported = await charge(ctx, 'import');
  const more = await ask(ctx, 'more');
  return { reserved, imported, source: source.action, more: more.action, charges };
};

describe('a tool that becomes a task where its body says', () => {
  it('asks on the wire before that, then is a task whose ledger holds what was answered and done', async () => {
    body = importing;
    const client = app.capable();
    const asked = await client.callTool('scripted');
    expect(asked.result).toMatchObject({ resultType: 'input_required', inputRequests: { source: {} }, requestState: expect.any(String) });
    expect(app.store.size).toBe(0);

    const became = await answerInput(client, asked, yes('source'));
    expect(became.result).toMatchObject({ resultType: 'task', status: 'working' });
    const taskId = became.result!.taskId!;
    const created = app.store.history.find((record) => record.taskId === taskId)!;
    expect(created.ledger).toMatchObject([
      { key: 'reserve', kind: 'step', answered: true, response: 1 },
      { key: 'source', kind: 'elicitation', answered: true, response: { action: 'accept', content: { ok: true } } },
    ]);

    const waiting = await pollTask(client, taskId);
    expect(waiting.status === 'input_required' && Object.keys(waiting.inputRequests)).toEqual(['more']);
    await answerInput(client, { taskId }, { more: decline() });
    expect(await pollTask(client, taskId)).toMatchObject({
      status: 'completed',
      result: { structuredContent: { reserved: 1, imported: 2, source: 'accept', more: 'decline', charges: 2 } },
    });
    // Once each on the wire, for the round that became a task, and for the resume: admission enters neither guard nor body anew.
    expect(executions).toBe(3);
    expect(guarded).toEqual(['sync call true', 'sync call true', 'task update true']);
  });

  it('stays on the wire while only a part of what it asked there is answered', async () => {
    body = async (ctx) => {
      await Promise.all([ask(ctx, 'a'), ask(ctx, 'b')]);
      await ctx.becomeTask();
      return 'done';
    };
    const client = app.capable();
    const size = app.store.size;
    const asked = await client.callTool('scripted');
    const partly = await answerInput(client, asked, yes('a'));
    expect(partly.result).toMatchObject({ resultType: 'input_required' });
    expect(Object.keys(partly.result!.inputRequests!)).toEqual(['b']);
    expect(app.store.size).toBe(size);
    const became = await answerInput(client, partly, yes('b'));
    expect(became.result?.resultType).toBe('task');
    expect(await pollTask(client, became.result!.taskId!)).toMatchObject({ status: 'completed' });
  });

  it('is answered synchronously when its body never says so', async () => {
    body = () => 'fast';
    const size = app.store.size;
    expect((await app.capable().callTool('scripted')).result).toMatchObject({ resultType: 'complete', content: [{ text: 'fast' }] });
    expect([app.store.size, app.load().running]).toEqual([size, 0]);
  });

  it('becomes one task however often the body says so', async () => {
    body = async (ctx) => {
      await Promise.all([ctx.becomeTask(), ctx.becomeTask()]);
      await ctx.becomeTask();
      return 'done';
    };
    const size = app.store.size;
    const { result } = await app.capable().callTool('scripted');
    expect(await pollTask(app.capable(), result!.taskId!)).toMatchObject({ status: 'completed' });
    expect([executions, app.store.size]).toEqual([1, size + 1]);
  });

  it('goes on synchronously to the end for a client that can not poll', async () => {
    body = importing;
    const client = app.plain();
    const size = app.store.size;
    const first = await client.callTool('scripted');
    const second = await answerInput(client, first, yes('source'));
    expect(second.result).toMatchObject({ resultType: 'input_required', inputRequests: { more: {} } });
    const third = await answerInput(client, second, yes('more'));
    expect(third.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { reserved: 1, imported: 2, source: 'accept', charges: 2 },
    });
    expect([app.store.size, guarded]).toEqual([size, Array.from({ length: 3 }, () => 'sync call false')]);
  });

  it('does not start a step after a question is open, nor become a task', async () => {
    body = async (ctx) => {
      const asking = ask(ctx, 'a');
      await ctx.becomeTask();
      await charge(ctx);
      return asking;
    };
    const size = app.store.size;
    expect((await app.capable().callTool('scripted')).result).toMatchObject({ resultType: 'input_required' });
    expect([charges, app.store.size]).toEqual([0, size]);
  });
});

describe('its signal', () => {
  it('is one object: of the request until the task is there, of the task from then on', async () => {
    const signals: AbortSignal[] = [];
    const became = deferred();
    const stopped = deferred<unknown>();
    body = async (ctx) => {
      signals.push(ctx.signal);
      await ctx.becomeTask();
      signals.push(ctx.signal);
      became.resolve();
      stopped.resolve(await aborted(ctx.signal));
    };
    const { result } = await app.capable().callTool('scripted');
    await became.promise;
    expect([signals[0] === signals[1], signals[0]!.aborted]).toEqual([true, false]);
    await app.capable().request('tasks/cancel', { taskId: result!.taskId! });
    expect(await stopped.promise).toBe('cancelled');
    await until(() => app.load().running === 0, 'the body has ended');
  });
});

describe('an admission that fails', () => {
  const held: Deferred[] = [];

  afterEach(async () => {
    for (const { resolve } of held.splice(0)) resolve();
    await until(() => app.load().running === 0, 'every body has ended');
  });

  it.each<[string, Body]>([
    ['and is let through', async (ctx) => ctx.becomeTask()],
    ['and is swallowed', (ctx) => ctx.becomeTask().catch(() => 'swallowed')],
  ])('because there is no room is -32603 with a time to come back: %s', async (_how, toRun) => {
    for (let slot = 0; slot < 2; slot++) {
      const hold = deferred();
      held.push(hold);
      body = async (ctx) => {
        await ctx.becomeTask();
        await hold.promise;
      };
      await app.capable().callTool('scripted');
    }
    body = toRun;
    const size = app.store.size;
    const { error } = await app.capable().callTool('scripted');
    expect(error).toMatchObject({ code: -32603, data: { retryAfterMs: expect.any(Number) } });
    expect(app.store.size).toBe(size);
  });

  it('because the store is down fails the call, though the body swallows it', async () => {
    app.store.before = { create: () => Promise.reject(new Error('secret')) };
    body = (ctx) => ctx.becomeTask().catch(() => 'swallowed');
    const { error, raw } = await app.capable().callTool('scripted');
    expect(error).toMatchObject({ code: -32603, data: { errorId: expect.any(String) } });
    expect(raw).not.toMatch(/secret|swallowed/);
  });
});
