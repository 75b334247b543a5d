import { McpTool } from '@mocapi/core';
import { InMemoryTaskStore, McpTask, taskKeyOf } from '@mocapi/tasks';
import { FakeClock } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';

const LEASE = 15_000;
const BEAT = LEASE / 5;

let finish: () => void = () => undefined;
let finished: Promise<void>;

@Injectable()
class Tools {
  @McpTool({ description: 'Works until it is told to end' })
  @McpTask({ recover: 'fail' })
  async work(): Promise<string> {
    await finished;
    return 'done';
  }
}

describe('P-5: whatever ends a task, who listens to it hears of it', () => {
  let apps: TasksApp[];
  let clock: FakeClock;
  let store: InMemoryTaskStore;

  beforeEach(async () => {
    finished = new Promise((resolve) => (finish = resolve));
    clock = new FakeClock();
    store = new InMemoryTaskStore(clock);
    apps = [await startTasksApp({ tools: [Tools], store, clock }), await startTasksApp({ tools: [Tools], store, clock })];
    await clock.advance(LEASE + BEAT);
  });
  afterEach(async () => {
    finish();
    for (const { testing } of apps) await testing.close();
  });

  /** A task of the first node, and what a listener at the second hears of it. */
  async function watched() {
    const taskId = (await apps[0]!.capable('ann').callTool('work')).result!.taskId!;
    const stream = await apps[1]!.capable('ann').listen({ taskIds: [taskId] });
    const heard = () => stream.messages.filter((message) => 'method' in message && message.method === 'notifications/tasks');
    await pollUntil(() => heard().length === 1);
    return { taskId, key: taskKeyOf({ id: 'ann' }, taskId), heard };
  }

  it('cancelled: it hears "cancelled"', async () => {
    const { taskId, heard } = await watched();
    await apps[0]!.capable('ann').request('tasks/cancel', { taskId });
    await pollUntil(() => heard().length === 2);
    expect(heard().at(-1)).toMatchObject({ params: { taskId, status: 'cancelled' } });
  });

  it('deleted by the application: it hears "failed" with the next reading of what is watched', async () => {
    const { taskId, key, heard } = await watched();
    await store.delete(key);
    await clock.advance(12_000);
    await pollUntil(() => heard().length === 2);
    expect(heard().at(-1)).toMatchObject({ params: { taskId, status: 'failed' } });
  });

  it('lost with its node: it hears "failed" with "Task interrupted"', async () => {
    const { taskId, key, heard } = await watched();
    const owner = (await store.get(key))!.run!.owner;
    const beat = store.runIndex.beat.bind(store.runIndex);
    store.runIndex.beat = (asked) => (asked === owner ? new Promise(() => undefined) : beat(asked));
    await clock.advance(LEASE + 4 * BEAT);
    await pollUntil(() => heard().length === 2);
    expect(heard().at(-1)).toMatchObject({ params: { taskId, status: 'failed', error: { message: 'Task interrupted' } } });
  });
});

async function pollUntil(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 2000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('not within 2 s');
    await new Promise((resolve) => void setImmediate(resolve));
  }
}
