import { AsyncLocalStorage } from 'node:async_hooks';
import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { answerInput, pollTask } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { deferred, turns, type Deferred } from './support/flow.js';
import { ask, yes } from './support/questions.js';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';

/** What tracing and request-context libraries keep: who the request in hand is for. */
const requestOf = new AsyncLocalStorage<string>();

let held: Deferred[];
let seen: (string | undefined)[];

@Injectable()
class Tools {
  @McpTool({ description: 'Holds its slot' })
  @McpTask()
  async slow(): Promise<void> {
    seen.push(requestOf.getStore());
    const hold = deferred();
    held.push(hold);
    await hold.promise;
    seen.push(requestOf.getStore());
  }

  @McpTool({ description: 'Asks' })
  @McpTask()
  async asking(@McpContext() ctx: McpToolContext): Promise<void> {
    seen.push(requestOf.getStore());
    await ask(ctx, 'sure');
    seen.push(requestOf.getStore());
  }
}

let app: TasksApp;

beforeAll(async () => {
  app = await startTasksApp({
    tools: [Tools],
    tasks: { limits: { maxRunning: 1 } },
    configure: (nest: NestFastifyApplication) => {
      nest
        .getHttpAdapter()
        .getInstance()
        .addHook('onRequest', (request, _reply, done) => {
          requestOf.run(String(request.headers['x-user']), done);
        });
    },
  });
});

beforeEach(() => {
  held = [];
  seen = [];
});

afterAll(() => app.close());

describe('the async context of an execution', () => {
  it('is its own, though it waited in the queue until the execution of another caller ended', async () => {
    const ids = [await startTask(app.capable('alice'), 'slow'), await startTask(app.capable('bob'), 'slow')];
    while (held.length < 1) await turns(1);
    held[0]!.resolve();
    while (held.length < 2) await turns(1);
    held[1]!.resolve();
    await pollTask(app.capable('alice'), ids[0]!);
    await pollTask(app.capable('bob'), ids[1]!);
    expect(seen).toEqual(['alice', 'alice', 'bob', 'bob']);
  });

  it("of a resume is nobody's: it neither sees nor keeps that of the request which brought the answer", async () => {
    const client = app.capable('alice');
    const taskId = await startTask(client, 'asking');
    await pollTask(client, taskId);
    await answerInput(client, { taskId }, yes('sure'));
    await pollTask(client, taskId);
    expect(seen).toEqual(['alice', undefined, undefined]);
  });
});
