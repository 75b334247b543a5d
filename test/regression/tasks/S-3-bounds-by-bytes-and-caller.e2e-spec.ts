import { McpArg, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { pollTask, type McpReply } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';

const KIB = 1024;

@Injectable()
class Tools {
  @McpTool({ description: 'Asks about the city, as the demo does' })
  @McpTask({ recover: 'replay' })
  async trip_planner(@McpArg('city') city: string, @McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.elicit('dates', { message: `When do you want to be in ${city}?`, schema: z.object({ from: z.string() }) });
    return city;
  }

  @McpTool({ description: 'Records a step of so many bytes' })
  @McpTask()
  async step(@McpArg('bytes', { schema: 'integer' }) bytes: number, @McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.step('fetch all', () => 'x'.repeat(bytes));
    return 'done';
  }

  @McpTool({ description: 'Reports a long message' })
  @McpTask()
  async report(@McpArg('bytes', { schema: 'integer' }) bytes: number, @McpContext() ctx: McpToolContext): Promise<string> {
    ctx.progress(1, 2, 'y'.repeat(bytes));
    return 'done';
  }

  @McpTool({ description: 'Gives back so many bytes' })
  @McpTask()
  answer(@McpArg('bytes', { schema: 'integer' }) bytes: number): string {
    return 'z'.repeat(bytes);
  }
}

const REFUSAL = { code: -32603, message: expect.stringMatching(/retry/i), data: { retryAfterMs: expect.any(Number) } };
const city = (kib: number) => ({ city: 'c'.repeat(kib * KIB) });
const isTask = ({ result }: McpReply): boolean => result?.resultType === 'task';

describe('S-3: what a client stores is bounded by bytes and by caller, and other callers are still served', () => {
  let app: TasksApp;

  async function start(limits: object): Promise<void> {
    app = await startTasksApp({ tools: [Tools], tasks: { limits } });
  }
  afterEach(() => app.testing.close());

  it('refuses an anonymous client when its records take its part of the bytes, and serves another caller', async () => {
    await start({ maxBytes: 400 * KIB });
    const replies: McpReply[] = [];
    for (let call = 0; call < 16; call++) replies.push(await app.capable().callTool('trip_planner', city(20)));
    const refused = replies.filter((reply) => !isTask(reply));
    expect(refused.length).toBeGreaterThan(10);
    for (const { status, error } of refused) expect([status, error]).toEqual([429, REFUSAL]);
    expect(isTask(await app.capable('ann').callTool('trip_planner', city(20)))).toBe(true);
  });

  it('counts anonymous callers in the limit of what runs and waits', async () => {
    await start({ maxRunning: 1, maxActivePerPrincipal: 2, maxStoredPerPrincipal: 5 });
    const replies: McpReply[] = [];
    for (let call = 0; call < 8; call++) replies.push(await app.capable().callTool('trip_planner', city(1)));
    expect(replies.filter((reply) => !isTask(reply)).map(({ error }) => error)).toContainEqual(REFUSAL);
    expect(isTask(await app.capable('ann').callTool('trip_planner', city(1)))).toBe(true);
  });

  it('refuses arguments that make a record too large, and says how large it may be', async () => {
    await start({ maxRecordBytes: 64 * KIB });
    const { error } = await app.capable().callTool('trip_planner', city(65));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(String(64 * KIB)) });
    expect(isTask(await app.capable().callTool('trip_planner', city(4)))).toBe(true);
  });

  it.each([
    ['maxStepBytes', 'Step "fetch all" is too large'],
    ['maxLedgerBytes', 'Step "fetch all" is too large'],
    ['maxRecordBytes', 'Step "fetch all" is too large'],
  ])('a step beyond %s fails the task with a message that names step and limit', async (limit, message) => {
    await start({ [limit]: 8 * KIB });
    const { result } = await app.capable().callTool('step', { bytes: 10 * KIB });
    const task = await pollTask(app.capable(), result!.taskId!);
    expect(task).toMatchObject({ status: 'failed', error: { code: -32603, message: expect.stringContaining(message) } });
    expect((task as { error: { message: string } }).error.message).toContain(String(8 * KIB));
    expect((task as { error: { message: string } }).error.message).toContain(limit);
  });

  it('a result beyond maxRecordBytes fails the task and says so', async () => {
    await start({ maxRecordBytes: 8 * KIB });
    const { result } = await app.capable().callTool('answer', { bytes: 10 * KIB });
    const task = await pollTask(app.capable(), result!.taskId!);
    expect(task).toMatchObject({ status: 'failed', error: { message: expect.stringContaining(String(8 * KIB)) } });
  });

  it('cuts a status message that is longer than it may be, and completes', async () => {
    await start({ maxStatusMessageBytes: 100 });
    const { result } = await app.capable().callTool('report', { bytes: 5000 });
    const task = await pollTask(app.capable(), result!.taskId!);
    expect(task.status).toBe('completed');
    expect(Buffer.byteLength(task.statusMessage!)).toBeLessThanOrEqual(100);
    expect(task.statusMessage).toMatch(/^1\/2: yyy.*…$/);
  });
});
