import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { createMcpTestingApp, pollTask, type McpReply, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';

let reports: (ctx: McpToolContext) => unknown;

@Injectable()
class Tools {
  @McpTool({ description: 'Reports progress' })
  async work(@McpContext() ctx: McpToolContext): Promise<string> {
    await reports(ctx);
    return 'done';
  }

  @McpTool({ description: 'Reports progress of a task' })
  @McpTask({ required: true })
  async workLater(@McpContext() ctx: McpToolContext): Promise<string> {
    await reports(ctx);
    return 'done';
  }
}

let testing: McpTestingApp;
beforeAll(async () => {
  testing = await createMcpTestingApp({ imports: [McpTasksModule.forRoot()], providers: [Tools] });
});
afterAll(() => testing.close());

const call = (): Promise<McpReply> => testing.client().callTool('work', {}, { meta: { progressToken: 'p' } });
const values = ({ notifications }: McpReply): unknown[] => notifications.map(({ params }) => params?.progress);
const warnings = (from: number): string[] =>
  testing.logs
    .slice(from)
    .filter(({ level, message }) => level === 'warn' && message.includes('progress'))
    .map(({ message }) => message);

describe('A-6: a report of progress never costs the result', () => {
  it.each<[string, (ctx: McpToolContext) => unknown, unknown[]]>([
    ['the same report twice', (ctx) => [ctx.progress(1, 3, 'a'), ctx.progress(1, 3, 'a')], [1]],
    ['branches that finish out of order', (ctx) => Promise.all([2, 1, 3].map(async (part) => ctx.progress(part, 3))), [2, 3]],
    ['0/0', (ctx) => [ctx.progress(0 / 0), ctx.progress(1)], [1]],
    ['an infinite value', (ctx) => [ctx.progress(1 / 0), ctx.progress(1)], [1]],
    ['a total that is NaN', (ctx) => [ctx.progress(1, 0 / 0), ctx.progress(2)], [2]],
    ['a BigInt', (ctx) => [ctx.progress(1n as never), ctx.progress(2)], [2]],
    ['a message that is no text', (ctx) => [ctx.progress(1, 2, { note: 1 } as never), ctx.progress(2)], [2]],
  ])('%s', async (_what, how, sent) => {
    reports = how;
    const from = testing.logs.length;
    const reply = await call();
    expect(reply.result).toMatchObject({ content: [{ text: 'done' }] });
    expect(reply.result?.isError).toBeUndefined();
    expect(values(reply)).toEqual(sent);
    expect(warnings(from)).toEqual([expect.stringContaining('work')]);
  });

  it('and is warned of once for an execution, however many reports are dropped', async () => {
    reports = (ctx) => Array.from({ length: 100 }, () => ctx.progress(1));
    const from = testing.logs.length;
    expect(values(await call())).toEqual([1]);
    expect(warnings(from)).toHaveLength(1);
  });

  it('nor that of a task, whose message takes a new text at the same value', async () => {
    const client = testing.client().withTasks();
    reports = (ctx) => [ctx.progress(1, 3, 'a'), ctx.progress(1, 3, 'b'), ctx.progress(0, 3, 'c'), ctx.progress(Number.NaN, 3, 'd')];
    const created = await client.callTool('workLater');
    const task = await pollTask(client, created.result!.taskId!);
    expect(task).toMatchObject({ status: 'completed', statusMessage: '1/3: b', result: { content: [{ text: 'done' }] } });
  });

  it('nor that of a call on the wire, where what is sent must rise', async () => {
    reports = (ctx) => [ctx.progress(1, 3, 'a'), ctx.progress(1, 3, 'b'), ctx.progress(2, 3, 'c')];
    const from = testing.logs.length;
    const reply = await call();
    expect(values(reply)).toEqual([1, 2]);
    expect(warnings(from)).toEqual([]);
  });

  it('nor comes back on a caller who reports after the result is out', async () => {
    let late: McpToolContext | undefined;
    reports = (ctx) => {
      late = ctx;
    };
    await call();
    expect(() => late!.progress(1)).not.toThrow();
  });
});
