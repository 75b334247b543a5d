import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, TaskExecutor } from '@mocapi/tasks';
import { accept, FakeClock, pollTask, type McpReply } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';

let entered: (string | undefined)[] = [];
let finish: () => void = () => undefined;
let finished: Promise<void>;

@Injectable()
class Tools {
  @McpTool({ description: 'Ends at once' })
  @McpTask()
  quick(): string {
    return 'done';
  }

  @McpTool({ description: 'Asks, then works' })
  @McpTask()
  async asking(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.elicit('sure', { message: 'Sure?', schema: z.object({ yes: z.boolean() }) });
    return this.work(ctx);
  }

  @McpTool({ description: 'Works, whoever tells it to stop' })
  @McpTask()
  async work(@McpContext() ctx: McpToolContext): Promise<string> {
    entered.push(ctx.principal?.id);
    await finished;
    return 'done';
  }
}

const REFUSAL = { code: -32603, message: expect.any(String), data: { retryAfterMs: expect.any(Number) } };

describe('S-8: one caller starves no other', () => {
  let app: TasksApp;
  let clock: FakeClock | undefined;

  async function start(tasks: object): Promise<void> {
    app = await startTasksApp({ tools: [Tools], tasks, ...(clock ? { clock } : {}) });
  }
  const load = () => app.testing.app.get(TaskExecutor, { strict: false }).load();
  const begin = async (user: string, tool: string): Promise<string> => {
    const { result, raw } = await app.capable(user).callTool(tool);
    if (!result?.taskId) throw new Error(raw);
    return result.taskId;
  };
  const answer = (user: string, taskId: string): Promise<McpReply> =>
    app.capable(user).request('tasks/update', { taskId, inputResponses: { sure: accept({ yes: true }) } });

  beforeEach(() => {
    entered = [];
    clock = undefined;
    finished = new Promise((resolve) => (finish = resolve));
  });
  afterEach(async () => {
    finish();
    await app.testing.close();
  });

  it('finished tasks of one caller leave room in the store for the others', async () => {
    await start({ limits: { maxRecords: 20 } });
    const replies: McpReply[] = [];
    for (let call = 0; call < 25; call++) replies.push(await app.capable('eve').callTool('quick'));
    expect(replies.filter(({ error }) => error !== undefined).at(-1)?.error).toEqual(REFUSAL);
    expect((await app.capable('ann').callTool('quick')).result).toMatchObject({ resultType: 'task' });
  });

  it('many answers at once obey the limits, and the next place is another caller’s', async () => {
    await start({ limits: { maxRunning: 2, maxQueued: 4 } });
    const parked: string[] = [];
    for (let index = 0; index < 20; index++) {
      parked.push(await begin('eve', 'asking'));
      await pollTask(app.capable('eve'), parked.at(-1)!);
    }
    const answers = await Promise.all(parked.map((taskId) => answer('eve', taskId)));
    const refused = answers.filter(({ error }) => error !== undefined);
    expect(load()).toEqual({ running: 2, queued: 4, zombies: 0 });
    expect(refused).toHaveLength(14);
    expect(refused[0]!.error).toEqual(REFUSAL);
    const taskId = await begin('ann', 'work');
    expect(entered).toEqual(['eve', 'eve']);
    finish();
    expect(await pollTask(app.capable('ann'), taskId)).toMatchObject({ status: 'completed' });
    expect(entered.indexOf('ann')).toBeLessThanOrEqual(3);
    // What was refused is taken later.
    const late = parked.filter((_, index) => answers[index]!.error !== undefined);
    for (const parkedId of late) {
      expect((await answer('eve', parkedId)).error).toBeUndefined();
      expect(await pollTask(app.capable('eve'), parkedId)).toMatchObject({ status: 'completed' });
    }
  });

  it('bodies that ignore their signal are capped, and beyond that new work is refused', async () => {
    clock = new FakeClock();
    await start({ abandonAfter: 'PT1S', limits: { maxRunning: 2, maxQueued: 10 } });
    const refusals: unknown[] = [];
    for (let call = 0; call < 8; call++) {
      const { result, error } = await app.capable('eve').callTool('work');
      if (error) refusals.push(error);
      if (!result) continue;
      await app.capable('eve').request('tasks/cancel', { taskId: result.taskId! });
      await clock.advance(1001);
    }
    expect(entered.length).toBeLessThanOrEqual(4);
    expect(refusals).toContainEqual(REFUSAL);
    finish();
    await pollUntil(() => load().running === 0 && load().zombies === 0);
    expect((await app.capable('eve').callTool('quick')).result).toMatchObject({ resultType: 'task' });
  });

  it('bodies of one caller that ignore their signal cost that caller places, and no other', async () => {
    clock = new FakeClock();
    await start({ abandonAfter: 'PT1S', limits: { maxRunning: 4, maxQueued: 10 } });
    const tasks: string[] = [];
    for (let call = 0; call < 6; call++) tasks.push(await begin('eve', 'work'));
    for (const taskId of tasks.slice(0, 4)) await app.capable('eve').request('tasks/cancel', { taskId });
    await clock.advance(1001);
    expect(load().zombies).toBeGreaterThan(0);
    expect((await app.capable('eve').callTool('quick')).error).toEqual(REFUSAL);
    expect((await app.capable('ann').callTool('quick')).error).toBeUndefined();
    const taskId = await begin('ann', 'quick');
    expect(await pollTask(app.capable('ann'), taskId)).toMatchObject({ status: 'completed' });
    expect(entered).toEqual(['eve', 'eve', 'eve', 'eve']);
    finish();
    for (const waited of tasks.slice(4)) expect(await pollTask(app.capable('eve'), waited)).toMatchObject({ status: 'completed' });
    expect(load()).toEqual({ running: 0, queued: 0, zombies: 0 });
  });

  it('a refusal of a limit is 429 with Retry-After, as every other is', async () => {
    await start({ limits: { maxRunning: 1, maxQueued: 0 } });
    await begin('eve', 'work');
    const { status, headers, error } = await app.capable('ann').callTool('work');
    expect(error).toEqual(REFUSAL);
    const seconds = Math.ceil((error!.data as { retryAfterMs: number }).retryAfterMs / 1000);
    expect([status, headers.get('retry-after')]).toEqual([429, String(seconds)]);
  });
});

async function pollUntil(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('not within 5 s');
    await new Promise((resolve) => void setImmediate(resolve));
  }
}
