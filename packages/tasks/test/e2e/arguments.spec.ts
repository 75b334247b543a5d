import { McpArg, McpTool } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { pollTask, type McpReply, type McpTestClient } from '@mocapi/testing';
import { BadRequestException, Injectable, UseGuards, type PipeTransform } from '@nestjs/common';
import { startTask, startTasksApp, type TasksApp } from './support/tasks-app.js';

let entered: unknown[];

const refusingPipe: PipeTransform = {
  transform(value: unknown) {
    if (value === 'refused') throw new BadRequestException('the pipe says no');
    return value;
  },
};

@Injectable()
class Tools {
  @McpTool({ description: 'Repeats a text' })
  @McpTask()
  repeat(@McpArg('text', { pipes: [refusingPipe] }) text: string, @McpArg('times', { default: 1 }) times: number): string {
    entered.push(text, times);
    return text.repeat(times);
  }

  @McpTool({ description: 'Takes nothing' })
  @McpTask()
  bare(): string {
    entered.push('bare');
    return 'done';
  }

  @McpTool({ description: 'Behind a guard' })
  @McpTask()
  @UseGuards({ canActivate: () => false })
  guarded(@McpArg('text') text: string): string {
    return text;
  }
}

let app: TasksApp;

beforeAll(async () => {
  app = await startTasksApp({ tools: [Tools] });
});

beforeEach(() => {
  entered = [];
});

afterAll(() => app.close());

/** Sends one request as both kinds of client, whose answers must be the same and leave no task. */
async function both(send: (client: McpTestClient) => Promise<McpReply>): Promise<McpReply> {
  const before = app.store.size;
  const sync = await send(app.plain());
  const capable = await send(app.capable());
  expect([capable.status, capable.raw]).toEqual([sync.status, sync.raw]);
  expect(app.store.size).toBe(before);
  expect(entered).toEqual([]);
  expect(app.load()).toEqual({ running: 0, queued: 0, zombies: 0 });
  return capable;
}

describe('arguments that the schema refuses', () => {
  it.each([
    ['one is missing', {}],
    ['one is of another type', { text: 1 }],
  ])('are an isError result at once, for both kinds of client, and nothing is stored: %s', async (_how, args) => {
    const { status, result } = await both((client) => client.callTool('repeat', args));
    expect(status).toBe(200);
    expect(result).toMatchObject({ resultType: 'complete', isError: true });
    expect(result?.content?.[0]?.text).toMatch(/^Invalid arguments for repeat/);
  });

  it('are told apart from what a pipe refuses, which is an isError result with the message of the pipe', async () => {
    const { result } = await both((client) => client.callTool('repeat', { text: 'refused' }));
    expect(result).toMatchObject({ isError: true, content: [{ text: 'the pipe says no' }] });
  });

  it('come after the guards: a denied caller with bad arguments is denied', async () => {
    const { error } = await both((client) => client.callTool('guarded', { text: 1 }));
    expect(error).toEqual({ code: 403, message: 'Forbidden' });
  });
});

describe('a call that is none', () => {
  it.each<[string, object, RegExp]>([
    ['an unknown tool', { name: 'nope', arguments: {} }, /Unknown tool: nope/],
    ['no name', { arguments: {} }, /name/],
    ['a name that is no text', { name: 7 }, /name/],
    ['arguments that are a list', { name: 'repeat', arguments: ['a'] }, /arguments/],
    ['arguments that are a text', { name: 'repeat', arguments: 'a' }, /arguments/],
  ])('is -32602 in-band for both kinds of client: %s', async (_how, params, message) => {
    const { status, error } = await both((client) => client.request('tools/call', params as never));
    expect([status, error?.code]).toEqual([200, -32602]);
    expect(error?.message).toMatch(message);
  });
});

describe('arguments', () => {
  it('that are missing are an empty object', async () => {
    const client = app.capable();
    const { result } = await client.request('tools/call', { name: 'bare' });
    expect(await pollTask(client, result!.taskId!)).toMatchObject({ status: 'completed', result: { content: [{ text: 'done' }] } });
    expect((await app.plain().request('tools/call', { name: 'bare' })).result).toMatchObject({ content: [{ text: 'done' }] });
  });

  it('are stored as they were sent, and the body gets the defaults', async () => {
    const client = app.capable();
    const taskId = await startTask(client, 'repeat', { text: 'ab' });
    expect(await pollTask(client, taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: 'ab' }] } });
    expect(entered).toEqual(['ab', 1]);
    expect(app.store.last(taskId)).toMatchObject({ toolName: 'repeat', arguments: { text: 'ab' } });
  });
});
