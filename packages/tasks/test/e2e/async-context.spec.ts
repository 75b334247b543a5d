import { AsyncLocalStorage } from 'node:async_hooks';
import { McpContext, McpExecution, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { answerInput, pollTask } from '@mocapi/testing';
import { Injectable, UseInterceptors, type CallHandler, type ExecutionContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Observable } from 'rxjs';
import { deferred, type Deferred } from './support/flow.js';
import { ask, yes } from './support/questions.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';

/** What `nestjs-cls` and tracing keep. */
const storage = new AsyncLocalStorage<string>();
const current = (): string => storage.getStore() ?? 'nobody';

/** What guards and bodies saw, in order. */
let seen: string[];
let held: Deferred;
beforeEach(() => {
  seen = [];
  held = deferred();
});

/** Runs each execution in a context of its own, as an interceptor of `nestjs-cls` does. */
const entersHere = {
  intercept: (context: ExecutionContext, next: CallHandler): Observable<unknown> => {
    const { trigger, principal } = McpExecution.of(context);
    return new Observable((subscriber) => storage.run(`${trigger} of ${principal?.id}`, () => next.handle().subscribe(subscriber)));
  },
};

@Injectable()
class Tools {
  @McpTool({ description: 'Says who it runs as' }) @McpTask() async plain(): Promise<string> {
    seen.push(`body ${current()}`);
    await held.promise;
    return current();
  }

  @McpTool({ description: 'The same, after a question' }) @McpTask() async asks(@McpContext() ctx: McpToolContext): Promise<string> {
    seen.push(`body ${current()}`);
    await ask(ctx, 'q');
    return current();
  }

  @McpTool({ description: 'The same, in a context of its own' })
  @McpTask()
  @UseInterceptors(entersHere)
  async entered(@McpContext() ctx: McpToolContext): Promise<string> {
    seen.push(`body ${current()}`);
    await ask(ctx, 'q');
    return current();
  }
}

let app: TasksApp;
afterEach(() => app.close());

/** Every request enters the context of its user. */
function hooked(nest: NestFastifyApplication): void {
  const fastify = nest.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, _reply, done) => storage.run(request.headers['x-user'] as string, done));
}

const guardSees = (nest: NestFastifyApplication): void => {
  hooked(nest);
  nest.useGlobalGuards({
    canActivate: (context) => (context.getClass() === Tools && seen.push(`guard ${current()}`), true),
  });
};

const textOf = async (user: string, taskId: string): Promise<string | undefined> => {
  const task = await pollTask(app.capable(user), taskId);
  return task.status === 'completed' ? (task.result as { content: { text?: string }[] }).content[0]?.text : JSON.stringify(task);
};

describe('an async context that a request entered', () => {
  it('is that of the task which its call became, to the end of the attempt', async () => {
    app = await startTasksApp({ tools: [Tools], configure: guardSees });
    const [ann, bob] = await Promise.all([startTask(app.capable('ann'), 'plain'), startTask(app.capable('bob'), 'plain')]);
    held.resolve();
    expect([await textOf('ann', ann), await textOf('bob', bob)]).toEqual(['ann', 'bob']);
    expect(seen.toSorted()).toEqual(['body ann', 'body bob', 'guard ann', 'guard bob']);
  });

  it('is that of a task which had to queue behind another caller', async () => {
    app = await startTasksApp({ tools: [Tools], configure: hooked, tasks: { limits: { maxRunning: 1 } } });
    const ann = await startTask(app.capable('ann'), 'plain');
    const bob = await startTask(app.capable('bob'), 'plain');
    expect(app.load()).toMatchObject({ running: 1, queued: 1 });
    held.resolve();
    expect([await textOf('ann', ann), await textOf('bob', bob)]).toEqual(['ann', 'bob']);
    expect(seen).toEqual(['body ann', 'body bob']);
  });

  it('is not seen by a task that goes on, whoever answered: neither by its guards nor by its body', async () => {
    app = await startTasksApp({ tools: [Tools], configure: guardSees });
    const taskId = await startTask(app.capable('ann'), 'asks');
    await pollTask(app.capable('ann'), taskId);
    await answerInput(app.capable('ann'), { taskId }, yes('q'));
    expect(await textOf('ann', taskId)).toBe('nobody');
    expect(seen).toEqual(['guard ann', 'body ann', 'guard nobody', 'body nobody']);
  });
});

describe('an async context that an interceptor enters', () => {
  it('is there in every execution of the task, its own each time', async () => {
    app = await startTasksApp({ tools: [Tools], configure: hooked });
    const taskId = await startTask(app.capable('ann'), 'entered');
    await pollTask(app.capable('ann'), taskId);
    await answerInput(app.capable('ann'), { taskId }, yes('q'));
    expect(await textOf('ann', taskId)).toBe('update of ann');
    expect(seen).toEqual(['body call of ann', 'body update of ann']);
  });
});

describe('an async context that a guard enters and nothing leaves', () => {
  it('does not last until another task goes on', async () => {
    let enters = true;
    app = await startTasksApp({
      tools: [Tools],
      configure: (nest) =>
        nest.useGlobalGuards({
          canActivate: (context) => {
            if (context.getClass() === Tools && McpExecution.of(context).trigger === 'update' && enters) storage.enterWith('left behind');
            return true;
          },
        }),
    });
    const [first, second] = [await startTask(app.capable('ann'), 'asks'), await startTask(app.capable('bob'), 'asks')];
    await pollTask(app.capable('ann'), first);
    await pollTask(app.capable('bob'), second);
    await answerInput(app.capable('ann'), { taskId: first }, yes('q'));
    expect(await textOf('ann', first)).toBe('left behind');
    enters = false;
    await answerInput(app.capable('bob'), { taskId: second }, yes('q'));
    expect(await textOf('bob', second)).toBe('nobody');
  });
});
