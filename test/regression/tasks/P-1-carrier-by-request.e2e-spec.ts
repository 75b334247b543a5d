import { McpArg, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { accept, pollTask } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';

let charges: number[] = [];

@Injectable()
class Checkout {
  @McpTool({ description: 'Charges, then asks about the receipt' })
  @McpTask({ pollInterval: 'PT0.5S', recover: 'replay' })
  async charge_then_ask(@McpArg('amount') amount: number, @McpContext() ctx: McpToolContext): Promise<unknown> {
    await ctx.step('charge', () => charges.push(amount));
    const receipt = await ctx.elicit('receipt', { message: 'Do you want a receipt?', schema: z.object({ wanted: z.boolean() }) });
    return { charges: charges.length, receipt: receipt.action === 'accept' && receipt.content.wanted };
  }

  @McpTool({ description: 'The same, where the handler says when it becomes a task' })
  @McpTask({ admission: 'manual' })
  async late(@McpArg('amount') amount: number, @McpContext() ctx: McpToolContext): Promise<unknown> {
    return this.charge_then_ask(amount, ctx);
  }
}

const INVALID_STATE = 'Invalid requestState: send the call again without requestState and inputResponses';

describe('P-1: the request chooses the carrier, so a call that asked on the wire goes on as a task', () => {
  let app: TasksApp;

  beforeAll(async () => {
    app = await startTasksApp({ tools: [Checkout] });
  });
  beforeEach(() => {
    charges = [];
  });
  afterAll(() => app.testing.close());

  async function askedOnTheWire(user?: string): Promise<string> {
    const { result } = await app.plain(user).callTool('charge_then_ask', { amount: 5 });
    expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    expect(charges).toEqual([5]);
    return result!.requestState as string;
  }

  it('charges once and keeps the answer when the retry declares the capability', async () => {
    const requestState = await askedOnTheWire();
    const retry = { requestState, inputResponses: { receipt: accept({ wanted: true }) } };
    const { result } = await app.capable().callTool('charge_then_ask', { amount: 5 }, retry);
    expect(result).toMatchObject({ resultType: 'task' });
    const task = await pollTask(app.capable(), result!.taskId!);
    expect(task).toMatchObject({ status: 'completed', result: { structuredContent: { charges: 1, receipt: true } } });
    expect(charges).toEqual([5]);
  });

  it('moves the ledger into the task, which asks only what is still open', async () => {
    const requestState = await askedOnTheWire();
    const { result } = await app.capable().callTool('charge_then_ask', { amount: 5 }, { requestState });
    const asked = await pollTask(app.capable(), result!.taskId!);
    expect(asked).toMatchObject({ status: 'input_required', inputRequests: { receipt: expect.any(Object) } });
    await app.capable().request('tasks/update', { taskId: result!.taskId!, inputResponses: { receipt: accept({ wanted: false }) } });
    expect(await pollTask(app.capable(), result!.taskId!)).toMatchObject({
      status: 'completed',
      result: { structuredContent: { charges: 1, receipt: false } },
    });
  });

  it.each(['charge_then_ask', 'late'])('refuses a requestState that is junk before anything runs: %s', async (tool) => {
    for (const client of [app.capable(), app.plain()]) {
      const { error, result } = await client.callTool(tool, { amount: 5 }, { requestState: 'v1.junk.junk' });
      expect([result, error]).toEqual([undefined, { code: -32602, message: INVALID_STATE }]);
    }
    expect(charges).toEqual([]);
  });

  it('refuses the state of another caller, and of other arguments', async () => {
    const requestState = await askedOnTheWire('ann');
    const bob = await app.capable('bob').callTool('charge_then_ask', { amount: 5 }, { requestState });
    const other = await app.capable('ann').callTool('charge_then_ask', { amount: 6 }, { requestState });
    expect([bob.error, other.error]).toEqual([
      { code: -32602, message: INVALID_STATE },
      { code: -32602, message: INVALID_STATE },
    ]);
    expect(charges).toEqual([5]);
  });

  it('refuses inputResponses of the wrong form, as the synchronous call does', async () => {
    const { error } = await app.capable().callTool('charge_then_ask', { amount: 5 }, { inputResponses: 'yes' as never });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('inputResponses') });
    expect(charges).toEqual([]);
  });
});
