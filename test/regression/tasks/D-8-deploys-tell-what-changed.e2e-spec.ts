import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { redisUrl } from '@mocapi/redis-harness';
import { InMemoryTaskStore, McpTask, McpTasksModule, taskKeyOf, type TaskRecord } from '@mocapi/tasks';
import { McpTasksRedisModule } from '@mocapi/tasks-redis';
import { createMcpTestingApp, pollTask, type McpTestClient, type McpTestingApp } from '@mocapi/testing';
import { Injectable, type Type } from '@nestjs/common';
import { Redis } from 'ioredis';
import * as z from 'zod';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';
import { byAnotherWriter, withDocument, withFormat } from '../../support/task-string.js';

const sure = z.object({ sure: z.boolean() });
let payments = 0;

@Injectable()
class OldShop {
  @McpTool({ description: 'Sells' })
  @McpTask()
  async shop(@McpContext() ctx: McpToolContext): Promise<string> {
    const receipt = await ctx.step('pay', () => `receipt ${++payments}`);
    await ctx.elicit('sure', { message: 'Send it?', schema: sure });
    return receipt;
  }
}

@Injectable()
class RenamedStep {
  @McpTool({ description: 'Sells' })
  @McpTask()
  async shop(@McpContext() ctx: McpToolContext): Promise<string> {
    const receipt = await ctx.step('charge', () => `receipt ${++payments}`);
    await ctx.elicit('sure', { message: 'Send it?', schema: sure });
    return receipt;
  }
}

@Injectable()
class RemovedStep {
  @McpTool({ description: 'Sells' })
  @McpTask()
  async shop(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.elicit('sure', { message: 'Send it?', schema: sure });
    return 'no receipt';
  }
}

@Injectable()
class OtherQuestion {
  @McpTool({ description: 'Sells' })
  @McpTask()
  async shop(@McpContext() ctx: McpToolContext): Promise<string> {
    const receipt = await ctx.step('pay', () => `receipt ${++payments}`);
    await ctx.elicit('sure', { message: 'Send it today?', schema: sure });
    return receipt;
  }
}

@Injectable()
class StepBecameQuestion {
  @McpTool({ description: 'Sells' })
  @McpTask()
  async shop(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.elicit('pay', { message: 'Send it?', schema: sure });
    return 'asked';
  }
}

const warningsOf = ({ testing }: Pick<TasksApp, 'testing'>): string[] =>
  testing.logs.filter(({ level, message }) => level === 'warn' && !message.startsWith('Endpoint ')).map(({ message }) => message);

describe('D-8: a deploy that a stored task does not fit is reported', () => {
  let apps: TasksApp[] = [];

  afterEach(async () => {
    for (const { testing } of apps.splice(0)) await testing.close();
  });

  async function start(tools: Type, version: string, store: InMemoryTaskStore): Promise<TasksApp> {
    const app = await startTasksApp({ tools: [tools], store, server: { name: 'shop', version } });
    apps.push(app);
    return app;
  }

  /** A task that the first version leaves with a question, answered at a node of the second. */
  async function deploy(next: Type): Promise<{ warnings: string[]; status: string }> {
    const store = new InMemoryTaskStore();
    const old = await start(OldShop, '1.4.0', store);
    const client = (app: TasksApp): McpTestClient => app.capable('ann');
    const taskId = (await client(old).callTool('shop')).result!.taskId!;
    await pollTask(client(old), taskId, { until: ({ status }) => status === 'input_required' });
    const app = await start(next, '2.0.0', store);
    const inputResponses = { sure: { action: 'accept', content: { sure: true } } };
    await client(app).request('tasks/update', { taskId, inputResponses });
    const task = await pollTask(client(app), taskId, { until: ({ status }) => status !== 'working' });
    return { warnings: warningsOf(app), status: task.status };
  }

  it.each([
    ['a renamed step, which runs again', RenamedStep, /shop.*1\.4\.0.*2\.0\.0.*"pay".*"charge"/],
    ['a step that is gone, whose result is lost', RemovedStep, /shop.*1\.4\.0.*2\.0\.0.*"pay"/],
    ['a question that asks something else', OtherQuestion, /shop.*1\.4\.0.*2\.0\.0.*"sure"/],
    ['a step that became a question', StepBecameQuestion, /shop.*1\.4\.0.*2\.0\.0.*"pay"/],
  ] as const)('one warning names the tool, the key and both versions: %s', async (_what, next, told) => {
    expect((await deploy(next)).warnings).toEqual([expect.stringMatching(told)]);
  });

  it('says nothing of a tool that did not change', async () => {
    payments = 0;
    expect(await deploy(OldShop)).toEqual({ warnings: [], status: 'completed' });
    expect(payments).toBe(1);
  });

  it('a record of unknown status is answered with the id, left alone and reported once (in memory)', async () => {
    const store = new InMemoryTaskStore();
    const app = await start(OldShop, '2.0.0', store);
    const client = app.capable('ann');
    const taskId = (await client.callTool('shop')).result!.taskId!;
    await pollTask(client, taskId, { until: ({ status }) => status === 'input_required' });
    const key = taskKeyOf({ id: 'ann' }, taskId);
    await store.update(key, (record) => ({ ...record, status: 'paused' }) as unknown as TaskRecord);
    const stored = () => (Reflect.get(store, 'records') as Map<string, { record: TaskRecord }>).get(key)?.record;
    const before = stored();
    expect(before?.status).toBe('paused');
    await expectLeftAlone(client, taskId);
    expect(stored()).toBe(before);
    expect(warningsOf(app)).toEqual([expect.stringMatching(/shop.*paused.*2\.0\.0/)]);
  });

  it.each([
    ['an unknown status', (text: string) => withDocument(text, (task) => ({ ...task, status: 'paused' })), /shop.*paused.*2\.0\.0/],
    ['an unknown format', (text: string) => withFormat(text, 3), /format 3.*2\.0\.0/],
  ])('and so is a record with %s (Redis)', async (_what, changed, told) => {
    const keyPrefix = `test:d8:${process.pid}:${Date.now()}:`;
    const testing: McpTestingApp = await createMcpTestingApp({
      imports: [McpTasksRedisModule.forRoot({ url: redisUrl(), keyPrefix }), McpTasksModule.forRoot({ drain: 0 })],
      providers: [OldShop],
      options: { name: 'shop', version: '2.0.0' },
    });
    const redis = new Redis(redisUrl());
    try {
      const client = testing.client().withTasks();
      const taskId = (await client.callTool('shop')).result!.taskId!;
      await pollTask(client, taskId, { until: ({ status }) => status === 'input_required' });
      const key = `${keyPrefix}${taskKeyOf(undefined, taskId)}`;
      const found = (await redis.get(key))!;
      await redis.set(key, changed(byAnotherWriter(found)), 'KEEPTTL');
      const before = await redis.get(key);
      expect(before).not.toBe(found);
      await new Promise((resolve) => void setTimeout(resolve, 30));
      await expectLeftAlone(client, taskId);
      expect(await redis.get(key)).toBe(before);
      expect(warningsOf({ testing }).filter((text) => told.test(text))).toHaveLength(1);
    } finally {
      await testing.close();
      redis.disconnect();
    }
  });
});

async function expectLeftAlone(client: McpTestClient, taskId: string): Promise<void> {
  const inputResponses = { sure: { action: 'accept', content: { sure: true } } };
  for (const [method, params] of [
    ['tasks/get', {}],
    ['tasks/get', {}],
    ['tasks/update', { inputResponses }],
    ['tasks/cancel', {}],
  ] as const) {
    const answer = JSON.parse((await client.request(method, { taskId, ...params })).raw) as { id?: unknown; error?: object };
    expect(answer).toMatchObject({ id: expect.anything(), error: { code: -32603, message: expect.stringMatching(/newer version/) } });
  }
}
