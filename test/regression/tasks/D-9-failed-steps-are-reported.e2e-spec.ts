import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { pollTask } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { failOnUnhandledRejections } from '../../support/unhandled-rejections.js';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';

let failLate: (error: Error) => void = () => undefined;
let races = 0;

@Injectable()
class Tools {
  @McpTool({ description: 'Lets go of a step' })
  async forget(@McpContext() ctx: McpToolContext): Promise<string> {
    void ctx.step('mail', () => Promise.reject(new Error('no server\nINFO all is well')));
    await ctx.step('other', () => 1);
    return 'done';
  }

  @McpTool({ description: 'Lets go of a step as a task' })
  @McpTask()
  async forgetInTask(@McpContext() ctx: McpToolContext): Promise<string> {
    void ctx.step('mail', () => Promise.reject(new Error('no server'))).then(() => 'never');
    await ctx.step('other', () => 1);
    return 'done';
  }

  @McpTool({ description: 'Lets go of a step after which it cleans up' })
  async forgetTidily(@McpContext() ctx: McpToolContext): Promise<string> {
    void ctx.step('mail', () => Promise.reject(new Error('no server'))).finally(() => undefined);
    await ctx.step('other', () => 1);
    return 'done';
  }

  @McpTool({ description: 'Waits for a step and cleans up' })
  async tidy(@McpContext() ctx: McpToolContext): Promise<string> {
    return ctx
      .step('mail', () => Promise.reject(new Error('no server')))
      .finally(() => undefined)
      .then(String, () => 'caught');
  }

  @McpTool({ description: 'Returns before its step fails' })
  leave(@McpContext() ctx: McpToolContext): string {
    void ctx.step('late', () => new Promise((_resolve, reject) => (failLate = reject)));
    return 'done';
  }

  @McpTool({ description: 'Looks at a step late' })
  async look(@McpContext() ctx: McpToolContext): Promise<string> {
    const mail = ctx.step('mail', () => Promise.reject(new Error('no server')));
    await ctx.step('other', () => 1);
    return mail.then(String, () => 'caught');
  }

  @McpTool({ description: 'Races inside one step' })
  @McpTask()
  async race(@McpContext() ctx: McpToolContext): Promise<string> {
    const runners = races++ === 0 ? ['hare', 'tortoise'] : ['tortoise', 'hare'];
    const winner = await ctx.step('first', () => Promise.race(runners.map((runner) => Promise.resolve(runner))));
    await ctx.elicit('sure', { message: 'Is that fair?', schema: z.object({}) });
    return winner;
  }
}

describe('D-9: a failed step that nobody awaits leaves one warning', () => {
  failOnUnhandledRejections();
  let app: TasksApp;
  const told = () => app.testing.logs.filter(({ level, message }) => level === 'warn' && message.includes('step "'));

  beforeAll(async () => {
    app = await startTasksApp({ tools: [Tools] });
  });
  afterEach(() => void (app.testing.logs as unknown[]).splice(0));
  afterAll(() => app.testing.close());

  it('with the tool and the step, in one line', async () => {
    expect((await app.plain().callTool('forget')).result).toMatchObject({ content: [{ text: 'done' }] });
    expect(told()).toHaveLength(1);
    expect(told()[0]!.message).toMatch(/forget.*step "mail" failed.*no server\\u000aINFO/);
  });

  it('in a task, and when only what is chained to it was let go of', async () => {
    const taskId = (await app.capable().callTool('forgetInTask')).result!.taskId!;
    expect((await pollTask(app.capable(), taskId)).status).toBe('completed');
    expect(told()).toEqual([expect.objectContaining({ message: expect.stringMatching(/forgetInTask.*step "mail" failed/) as string })]);
  });

  it('also when it fails after the call has ended', async () => {
    await app.plain().callTool('leave');
    expect(told()).toHaveLength(0);
    failLate(new Error('too late'));
    await new Promise((resolve) => void setImmediate(resolve));
    expect(told()).toEqual([expect.objectContaining({ message: expect.stringMatching(/leave.*step "late" failed.*too late/) as string })]);
  });

  it('also when cleaning up is all that happens after it', async () => {
    await app.plain().callTool('forgetTidily');
    expect(told()).toEqual([expect.objectContaining({ message: expect.stringMatching(/forgetTidily.*step "mail" failed/) as string })]);
  });

  it('and none when somebody looks at it after cleaning up', async () => {
    expect((await app.plain().callTool('tidy')).result).toMatchObject({ content: [{ text: 'caught' }] });
    expect(told()).toEqual([]);
  });

  it('and none when the handler looks at it, however late', async () => {
    expect((await app.plain().callTool('look')).result).toMatchObject({ content: [{ text: 'caught' }] });
    expect(told()).toEqual([]);
  });

  it('the winner of a race inside one step stays the winner in the next execution', async () => {
    const client = app.capable('ann');
    const taskId = (await client.callTool('race')).result!.taskId!;
    await pollTask(client, taskId, { until: ({ status }) => status === 'input_required' });
    await client.request('tasks/update', { taskId, inputResponses: { sure: { action: 'accept', content: {} } } });
    const task = await pollTask(client, taskId, { until: ({ status }) => status === 'completed' });
    expect(races).toBe(2);
    expect(task).toMatchObject({ result: { content: [{ text: 'hare' }] } });
  });
});
