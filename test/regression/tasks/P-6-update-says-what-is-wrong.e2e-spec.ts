import { McpTool } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { Injectable } from '@nestjs/common';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';

@Injectable()
class Tools {
  @McpTool({ description: 'Ends at once' })
  @McpTask()
  quick(): string {
    return 'done';
  }
}

describe('P-6: tasks/update says what is wrong with malformed answers, before it looks anything up', () => {
  let app: TasksApp;
  let known: string;

  beforeAll(async () => {
    app = await startTasksApp({ tools: [Tools] });
    known = (await app.capable().callTool('quick')).result!.taskId!;
  });
  afterAll(() => app.testing.close());

  it.each([
    ['a text', 'yes'],
    ['an array', []],
    ['null', null],
    ['a number', 1],
  ])('inputResponses is %s', async (_what, inputResponses) => {
    const replies = [];
    for (const taskId of [known, 'A'.repeat(43), 'no id'])
      replies.push((await app.capable().request('tasks/update', { taskId, inputResponses })).error);
    expect(replies[0]).toEqual({ code: -32602, message: expect.stringContaining('inputResponses must be an object') });
    expect(replies).toEqual([replies[0], replies[0], replies[0]]);
  });

  it('inputResponses is missing', async () => {
    const { error } = await app.capable().request('tasks/update', { taskId: known });
    expect(error).toEqual({ code: -32602, message: expect.stringContaining('inputResponses') });
  });

  it('an id that is no task of the caller is still unknown', async () => {
    const { error } = await app.capable().request('tasks/update', { taskId: 'A'.repeat(43), inputResponses: {} });
    expect(error).toEqual({ code: -32602, message: 'Unknown task' });
  });
});
