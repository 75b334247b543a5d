import {
  JsonRpcResponseError,
  type SerializedTaskReference,
  type TaskOutcome,
  type ToolExecution,
} from '@modelcontextprotocol/ext-tasks/client';
import { openTaskClient, type TaskClient, type TaskClientOptions } from './harness/task-session.js';
import { closingAfterEach, useServer } from './harness/use-server.js';

type Result = { structuredContent?: unknown; isError?: boolean; content: { text?: string }[] };

describe('the official tasks client', () => {
  const server = useServer();
  const closing = closingAfterEach<TaskClient>();
  const client = async (options: TaskClientOptions = {}): Promise<TaskClient> => closing(await openTaskClient(server.url, options));

  it('follows a task from its creation to its result', async () => {
    const { session } = await client();
    const execution = await session.callTool('batch_resize', { count: 3, delayMs: 50 });
    const states: string[] = [];
    const { outcome } = await task(execution).settle({
      onEvent: (event) => void (event.type === 'task' && states.push(event.task.status)),
    });
    expect(resultOf(outcome).structuredContent).toEqual({ resized: 3 });
    expect(states.at(0)).toBe('working');
  });

  it('answers a question that a task asks midway', async () => {
    const { session, asked } = await client({ answers: { confirm: { ok: true } } });
    const { outcome } = await task(await session.callTool('confirmed_report', { title: 'Q3' })).settle();
    expect(resultOf(outcome).structuredContent).toEqual({ title: 'Q3', status: 'written' });
    expect(asked).toEqual([{ scope: 'task', key: 'confirm', message: 'Write the report "Q3"?' }]);
  });

  it('answers two questions that a task asks at once', async () => {
    const dates = { from: '2026-12-01', to: '2026-12-08' };
    const { session, asked } = await client({ answers: { dates, budget: { amount: 900, currency: 'EUR' } } });
    const { outcome } = await task(await session.callTool('trip_planner', { city: 'Oslo' })).settle();
    expect(resultOf(outcome).structuredContent).toEqual({ city: 'Oslo', dates, budget: { amount: 900, currency: 'EUR' } });
    expect(asked.map(({ key }) => key).toSorted()).toEqual(['budget', 'dates']);
  });

  it('keeps one of two questions open while the other is answered', async () => {
    const { session } = await client();
    const execution = task(await session.callTool('trip_planner', { city: 'Rome' }));
    await execution.detach();
    const controller = session.task(execution.handle.taskId);
    const pending = async (): Promise<string[]> =>
      Object.keys(((await controller.snapshot()).raw['inputRequests'] ?? {}) as object).toSorted();
    expect(await pending()).toEqual(['budget', 'dates']);
    await controller.updateJson({ dates: { action: 'decline' } });
    expect(await pending()).toEqual(['budget']);
    await controller.updateJson({ budget: { action: 'decline' } });
    expect(resultOf(await controller.result()).structuredContent).toEqual({ city: 'Rome' });
  });

  it('stops a task that it cancels', async () => {
    const { session } = await client();
    const execution = task(await session.callTool('batch_resize', { count: 1000, delayMs: 10_000 }));
    await execution.cancel();
    const { outcome } = await execution.settle();
    expect(outcome.status).toBe('cancelled');
  });

  it('takes a task up again from a fresh client of the same caller, and of no other', async () => {
    const ada = { 'x-demo-user': 'ada' };
    const before = await client({ headers: ada });
    const execution = task(await before.session.callTool('batch_resize', { count: 4, delayMs: 50 }));
    let stored = '';
    await execution.handoff((reference) => void (stored = JSON.stringify(reference)));
    await before.close();

    const reference = JSON.parse(stored) as SerializedTaskReference;
    const stranger = await client({ headers: { 'x-demo-user': 'bob' } });
    await expect(stranger.session.resumeTask(reference)).rejects.toMatchObject({ code: -32602 });
    const after = await client({ headers: ada });
    const { outcome } = await (await after.session.resumeTask(reference)).settle();
    expect(resultOf(outcome).structuredContent).toEqual({ resized: 4 });
  });

  it('gets the failure of a tool as the result of a completed task', async () => {
    const { session } = await client();
    const { outcome } = await task(await session.callTool('flaky_job')).settle();
    expect(resultOf(outcome)).toMatchObject({ isError: true, content: [{ text: 'The job failed: the upstream service is down' }] });
  });

  it('has a side effect once, however often the answers bring the body back to its top', async () => {
    const { session } = await client({ answers: { receipt: { wanted: true }, rating: { stars: 5 } } });
    const buy = async (amount: number): Promise<unknown> => {
      const { outcome } = await task(await session.callTool('charge_then_ask', { amount })).settle();
      return resultOf(outcome).structuredContent;
    };
    const purchases = await Promise.all([buy(1), buy(2), buy(3)]);
    expect(purchases).toEqual(
      [1, 2, 3].map((amount) => expect.objectContaining({ amount, charges: 1, receipt: true, rating: 5 }) as unknown),
    );
    expect(new Set(purchases.map((purchase) => (purchase as { orderId: string }).orderId)).size).toBe(3);
  });

  it('is asked in the call and goes on with a task, where the tool decides so', async () => {
    const { session, asked } = await client({ answers: { source: { source: 'crm.csv' } } });
    const { outcome } = await task(await session.callTool('escalating_import', { rows: 250 })).settle();
    expect(resultOf(outcome).structuredContent).toEqual({ source: 'crm.csv', imported: 250 });
    expect(asked).toEqual([{ scope: 'request', key: 'source', message: 'Import 250 rows from where?' }]);
  });

  it('gets a task from a tool that is never anything else', async () => {
    const { session } = await client();
    const { outcome } = await task(await session.callTool('export_archive', { format: 'tar' })).settle();
    expect(resultOf(outcome).structuredContent).toEqual({ file: 'export.tar' });
  });

  it('gets no task past a guard that refuses', async () => {
    const { session } = await client();
    await expect(session.callTool('guarded_purge', { bucket: 'old' })).rejects.toBeInstanceOf(JsonRpcResponseError);
    const allowed = task(await session.callTool('guarded_purge', { bucket: 'old' }, { headers: { 'x-demo-role': 'admin' } }));
    expect(resultOf((await allowed.settle()).outcome).structuredContent).toEqual({ bucket: 'old', purged: 5 });
  });
});

/** The call became a task, or the test fails here. */
function task<R>(execution: ToolExecution<R>): Extract<ToolExecution<R>, { kind: 'task' }> {
  if (execution.kind !== 'task') throw new Error('The call was answered at once instead of becoming a task');
  return execution;
}

/** The outcome is a result, or the test fails here. */
function resultOf(outcome: TaskOutcome<unknown>): Result {
  if (outcome.status !== 'completed')
    throw new Error(`The task ${outcome.status}`, outcome.status === 'failed' ? { cause: outcome.error } : {});
  return outcome.result as Result;
}
