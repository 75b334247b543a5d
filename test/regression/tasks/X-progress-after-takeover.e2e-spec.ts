import { McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { InMemoryTaskStore, McpTask, taskKeyOf } from '@mocapi/tasks';
import { FakeClock, pollTask } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { startTasksApp, type TasksApp } from './support/tasks-app.js';

const LEASE = 15_000;
const BEAT = LEASE / 5;

let runs = 0;
let finish: () => void = () => undefined;
let finished: Promise<void>;

@Injectable()
class Tools {
  @McpTool({ description: 'Reports its way' })
  @McpTask({ recover: 'replay' })
  async work(@McpContext() ctx: McpToolContext): Promise<string> {
    const way = ++runs === 1 ? [3] : [1];
    for (const step of way) ctx.progress(step, 8);
    await finished;
    return 'done';
  }
}

describe('X: after a takeover the progress of a task does not go back', () => {
  let apps: TasksApp[] = [];

  afterEach(async () => {
    finish();
    for (const { testing } of apps) await testing.close();
  });

  it('keeps 3/8 while the body that runs again reports 1/8', async () => {
    finished = new Promise((resolve) => (finish = resolve));
    const clock = new FakeClock();
    const store = new InMemoryTaskStore(clock);
    apps = [await startTasksApp({ tools: [Tools], store, clock }), await startTasksApp({ tools: [Tools], store, clock })];
    await clock.advance(LEASE + BEAT);
    const taskId = (await apps[0]!.capable('ann').callTool('work')).result!.taskId!;
    await pollTask(apps[0]!.capable('ann'), taskId, { until: ({ statusMessage }) => statusMessage === '3/8' });
    const owner = (await store.get(taskKeyOf({ id: 'ann' }, taskId)))!.run!.owner;
    const beat = store.runIndex.beat.bind(store.runIndex);
    store.runIndex.beat = (asked) => (asked === owner ? new Promise(() => undefined) : beat(asked));
    await clock.advance(LEASE + 4 * BEAT);
    const task = await pollTask(apps[1]!.capable('ann'), taskId, { until: () => runs === 2 });
    await clock.advance(1000);
    expect(task.statusMessage).toBe('3/8');
    expect((await pollTask(apps[1]!.capable('ann'), taskId, { until: () => true })).statusMessage).toBe('3/8');
  });
});
