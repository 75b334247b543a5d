import { McpTool } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { FakeClock } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';

let finish: () => void = () => undefined;
let finished: Promise<void>;

@Injectable()
class Tools {
  @McpTool({ description: 'Works until it is told to end' })
  @McpTask({ ttl: 'PT20S' })
  async work(): Promise<string> {
    await finished;
    return 'done';
  }
}

describe('P-5: who listens to a task hears that it expired', () => {
  let app: TasksApp;
  let clock: FakeClock;

  beforeEach(async () => {
    finished = new Promise((resolve) => (finish = resolve));
    clock = new FakeClock();
    app = await startTasksApp({ tools: [Tools], clock });
  });
  afterEach(async () => {
    finish();
    await app.testing.close();
  });

  it('gets a last notification, failed with "Task expired", and polls say unknown after it', async () => {
    const taskId = (await app.capable().callTool('work')).result!.taskId!;
    const stream = await app.capable().listen({ taskIds: [taskId] });
    const heard = () => stream.messages.filter((message) => 'method' in message && message.method === 'notifications/tasks');
    await pollUntil(() => heard().length === 1);
    await clock.advance(40_000);
    await pollUntil(() => heard().length === 2).catch(() => undefined);
    expect(heard().at(-1)).toMatchObject({ params: { taskId, status: 'failed', error: { code: -32603, message: 'Task expired' } } });
    expect((await app.capable().request('tasks/get', { taskId })).error).toEqual({ code: -32602, message: 'Unknown task' });
  });
});

async function pollUntil(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 2000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('not within 2 s');
    await new Promise((resolve) => void setImmediate(resolve));
  }
}
