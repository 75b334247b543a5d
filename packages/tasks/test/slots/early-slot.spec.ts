import { InProcessTaskExecutor, type TaskSlot } from '@mocapi/tasks';
import { EarlySlot } from '../../src/slots/early-slot.js';
import { turns } from '../e2e/support/flow.js';

describe('a place taken before its task is known', () => {
  it('waits in the lane of the caller whose task it is, so that many of one caller do not come before another', async () => {
    const executor = new InProcessTaskExecutor({ maxRunning: 1, maxQueued: 10 });
    const running = executor.reserve({ account: 'somebody' });
    const begun: string[] = [];
    const takeOver = (account: string): TaskSlot => {
      const slot = new EarlySlot(executor, { resumed: true }).take(account);
      void slot.ready.then(() => begun.push(account));
      return slot;
    };
    const slots = ['eve', 'eve', 'eve', 'ann'].map(takeOver);
    running.release();
    await turns(1);
    slots[0]!.release();
    await turns(1);
    expect(begun).toEqual(['eve', 'ann']);
    expect(executor.load()).toEqual({ running: 1, queued: 2, zombies: 0 });
  });

  it('keeps a place that became free before the task was claimed', async () => {
    const executor = new InProcessTaskExecutor({ maxRunning: 1, maxQueued: 10 });
    const running = executor.reserve();
    const place = new EarlySlot(executor, { resumed: true });
    const other = executor.reserve({ account: 'ann' });
    running.release();
    await turns(1);
    const slot = place.take('eve');
    await expect(slot.ready).resolves.toBeUndefined();
    expect(executor.load()).toEqual({ running: 1, queued: 1, zombies: 0 });
    slot.release();
    other.release();
    expect(executor.load()).toEqual({ running: 0, queued: 0, zombies: 0 });
  });
});
