import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { answerInput, pollTask, type PollTaskOptions } from '@mocapi/testing';
import { Injectable, UseInterceptors, type NestInterceptor } from '@nestjs/common';
import { catchError, finalize, map, of, retry, tap } from 'rxjs';
import { deferred, turns } from './support/flow.js';
import { ask, yes } from './support/questions.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';
import { failOnUnhandledRejections } from './support/unhandled-rejections.js';

type Body = (ctx: McpToolContext) => unknown;

/** What the tools do; each test sets it. */
let body: Body;
let executions: number;
let charges: number;
let log: string[];

const around = (intercept: NestInterceptor['intercept']): MethodDecorator => UseInterceptors({ intercept });

@Injectable()
class Tools {
  @McpTool({ description: 'Does what the test says' })
  @McpTask()
  scripted(@McpContext() ctx: McpToolContext): unknown {
    return this.run(ctx);
  }

  @McpTool({ description: 'The same, retried' })
  @McpTask()
  @around((_context, next) => next.handle().pipe(retry(3)))
  retried(@McpContext() ctx: McpToolContext): unknown {
    return this.run(ctx);
  }

  @McpTool({ description: 'The same, retried without end' })
  @McpTask()
  @around((_context, next) => next.handle().pipe(retry()))
  retriedForEver(@McpContext() ctx: McpToolContext): unknown {
    return this.run(ctx);
  }

  @McpTool({ description: 'The same, with a fallback' })
  @McpTask()
  @around((_context, next) => next.handle().pipe(catchError(() => of('fallback'))))
  caught(@McpContext() ctx: McpToolContext): unknown {
    return this.run(ctx);
  }

  @McpTool({ description: 'The same, in a transaction' })
  @McpTask()
  @around((_context, next) =>
    next.handle().pipe(
      tap({ next: () => log.push('commit'), error: () => log.push('rollback') }),
      map((value: unknown) => value),
      finalize(() => log.push('release')),
    ),
  )
  inTransaction(@McpContext() ctx: McpToolContext): unknown {
    return this.run(ctx);
  }

  private run(ctx: McpToolContext): unknown {
    executions += 1;
    return body(ctx);
  }
}

const charge = (ctx: McpToolContext): Promise<number> => ctx.step('charge', () => ++charges);

failOnUnhandledRejections();

let app: TasksApp;

beforeAll(async () => {
  app = await startTasksApp({ tools: [Tools] });
});

beforeEach(() => {
  executions = charges = 0;
  log = [];
});

afterEach(() => {
  app.store.before = {};
});

afterAll(() => app.close());

const poll = (taskId: string, options?: PollTaskOptions): ReturnType<typeof pollTask> => pollTask(app.capable(), taskId, options);

/** A task of `tool`, once it waits for its client. */
async function asking(tool: string, toRun: Body): Promise<string> {
  body = toRun;
  const taskId = await startTask(app.capable(), tool);
  expect(await poll(taskId)).toMatchObject({ status: 'input_required' });
  return taskId;
}

async function answered(taskId: string, ...keys: string[]): ReturnType<typeof pollTask> {
  await answerInput(app.capable(), { taskId }, yes(...keys));
  return poll(taskId);
}

const ALL_TOOLS = ['scripted', 'retried', 'retriedForEver', 'caught', 'inTransaction'];

describe('Promise.all of a step and a question', () => {
  it('records the step before the execution settles, though it ends long after the question; the charge happens once', async () => {
    const io = deferred();
    body = async (ctx) => {
      const [charged] = await Promise.all([ctx.step('charge', () => io.promise.then(() => ++charges)), ask(ctx, 'x')]);
      return { charged, charges };
    };
    const taskId = await startTask(app.capable(), 'scripted');
    await turns(20);
    expect(await poll(taskId, { until: () => true })).toMatchObject({ status: 'working' });
    io.resolve();
    expect(await poll(taskId)).toMatchObject({ status: 'input_required' });
    expect(app.store.last(taskId)?.ledger.map(({ key, answered: done }) => [key, done])).toEqual(
      expect.arrayContaining([
        ['charge', true],
        ['x', false],
      ]),
    );
    expect(await answered(taskId, 'x')).toMatchObject({ status: 'completed', result: { structuredContent: { charged: 1, charges: 1 } } });
    expect(executions).toBe(2);
  });
});

describe('a step', () => {
  it('is in the store before the handler goes on', async () => {
    const written = deferred();
    const done = deferred();
    body = async (ctx) => {
      await charge(ctx);
      log.push('went on');
      done.resolve();
      return 'done';
    };
    app.store.before = { update: () => written.promise };
    const taskId = await startTask(app.capable(), 'scripted');
    await turns(20);
    expect([charges, log]).toEqual([1, []]);
    written.resolve();
    await done.promise;
    expect(app.store.last(taskId)?.ledger).toMatchObject([{ key: 'charge', kind: 'step', answered: true, response: 1 }]);
    expect(await poll(taskId)).toMatchObject({ status: 'completed' });
  });

  it('that could not be stored ends the execution: the handler does not go on, whatever it makes of it', async () => {
    body = async (ctx) => {
      await charge(ctx).catch(() => log.push('swallowed'));
      return 'went on';
    };
    let failures = 0;
    app.store.before = {
      update: () => {
        if (failures++ === 0) throw new Error('secret: the store is down');
      },
    };
    const task = await poll(await startTask(app.capable(), 'scripted'));
    expect(task).toMatchObject({
      status: 'failed',
      error: { code: -32603, message: 'Internal error', data: { errorId: expect.any(String) } },
    });
    expect(JSON.stringify(task)).not.toContain('secret');
    expect(failures).toBeGreaterThan(1);
  });

  it.each(ALL_TOOLS)('runs once across all resumes of a task: %s', async (tool) => {
    const taskId = await asking(tool, async (ctx) => {
      const first = await charge(ctx);
      await ask(ctx, 'receipt');
      await ctx.step('ship', () => ++charges);
      await ask(ctx, 'rating');
      return { first, charges };
    });
    expect(await answered(taskId, 'receipt')).toMatchObject({ status: 'input_required' });
    expect(await answered(taskId, 'rating')).toMatchObject({
      status: 'completed',
      result: { structuredContent: { first: 1, charges: 2 } },
    });
    expect(executions).toBe(3);
  });

  it('runs once across the retries of one execution, and is stored once', async () => {
    body = async (ctx) => {
      const charged = await charge(ctx);
      if (executions < 3) throw new Error('try again');
      return { charged, charges, executions };
    };
    const taskId = await startTask(app.capable(), 'retried');
    expect(await poll(taskId)).toMatchObject({
      status: 'completed',
      result: { structuredContent: { charged: 1, charges: 1, executions: 3 } },
    });
    expect(app.store.last(taskId)?.version).toBe(3);
  });

  it('gets, after a resume, a copy that a body may change', async () => {
    const taskId = await asking('scripted', async (ctx) => {
      const ticket = await ctx.step('reserve', () => ({ seats: ['a'] }));
      ticket.seats.push('b');
      await ask(ctx, 'x');
      return ticket;
    });
    expect(await answered(taskId, 'x')).toMatchObject({ result: { structuredContent: { seats: ['a', 'b'] } } });
  });
});

describe.each(ALL_TOOLS)('around a suspended body, %s', (tool) => {
  it('does not enter it again in that execution; the task still waits for its client, and then completes', async () => {
    const taskId = await asking(tool, async (ctx) => (await ask(ctx, 'x')).action);
    expect(executions).toBe(1);
    expect(await answered(taskId, 'x')).toMatchObject({ status: 'completed', result: { content: [{ text: 'accept' }] } });
    expect(executions).toBe(2);
  });
});

describe('a transaction interceptor', () => {
  it('rolls back at each suspension and commits at the end', async () => {
    const taskId = await asking('inTransaction', async (ctx) => (await ask(ctx, 'x')).action);
    expect(log).toEqual(['rollback', 'release']);
    await answered(taskId, 'x');
    expect(log).toEqual(['rollback', 'release', 'commit', 'release']);
  });
});

describe('a handler that swallows the suspension', () => {
  it.each<[string, Body]>([
    ['and returns a value', (ctx) => ask(ctx, 'x').catch(() => 'swallowed')],
    ['and throws another error', (ctx) => ask(ctx, 'x').catch(() => Promise.reject(new Error('other')))],
    ['by not waiting for the question', (ctx) => void ask(ctx, 'x')],
    ['and tries to start a step', (ctx) => ask(ctx, 'x').catch(() => charge(ctx))],
  ])('%s still waits for its client', async (_how, toRun) => {
    const taskId = await asking('scripted', toRun);
    expect(Object.keys(app.store.last(taskId)!.inputRequests!)).toEqual(['x']);
    expect(charges).toBe(0);
  });
});

describe('a handler that asks something else at a key that is answered', () => {
  it.each<[string, Body]>([
    ['another question', (ctx) => ask(ctx, 'x', executions === 1 ? 'first?' : 'second?')],
    ['a step', (ctx) => (executions === 1 ? ask(ctx, 'x') : ctx.step('x', () => ++charges))],
    ['another question, whose refusal it swallows', (ctx) => ask(ctx, 'x', `${executions}?`).catch(() => 'swallowed')],
  ])('fails the task with -32602: %s', async (_how, toRun) => {
    const taskId = await asking('scripted', toRun);
    const task = await answered(taskId, 'x');
    expect(task).toMatchObject({ status: 'failed', error: { code: -32602 } });
    expect(task.status === 'failed' && task.error.message).toContain('"x"');
    expect([executions, charges]).toEqual([2, 0]);
  });

  it('is the same synchronously', async () => {
    body = (ctx) => ask(ctx, 'x', `${executions}?`);
    const client = app.plain();
    const asked = await client.callTool('scripted');
    expect((await answerInput(client, asked, yes('x'))).error?.code).toBe(-32602);
  });
});

describe('a handler that asks what the client can not answer', () => {
  it('fails the task with -32021 naming what is missing, as the synchronous call fails', async () => {
    body = (ctx) => ask(ctx, 'x');
    const client = app.testing.client({ capabilities: {} });
    const sync = await client.callTool('scripted');
    const task = await pollTask(client.withTasks(), await startTask(client.withTasks(), 'scripted'));
    expect(sync.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } });
    expect(task).toMatchObject({ status: 'failed', error: sync.error });
  });

  it('goes by what the creating request declared, in every execution', async () => {
    const taskId = await asking('scripted', async (ctx) => {
      await ask(ctx, 'x');
      return (await ask(ctx, 'y')).action;
    });
    const client = app.testing.client({ capabilities: {} }).withTasks();
    await answerInput(client, { taskId }, yes('x'));
    expect(await pollTask(client, taskId)).toMatchObject({ status: 'input_required', inputRequests: { y: {} } });
  });
});

describe('the signal of a suspended execution', () => {
  it('fires with the reason suspended, after its steps have ended, and the next execution starts only then', async () => {
    const taskId = await asking('scripted', async (ctx) => {
      ctx.signal.addEventListener('abort', () => log.push(`aborted: ${String(ctx.signal.reason)}, charges ${charges}`));
      log.push('entered');
      return Promise.all([charge(ctx), ask(ctx, 'x')]);
    });
    await answered(taskId, 'x');
    expect(log).toEqual(['entered', 'aborted: suspended, charges 1', 'entered']);
  });
});
