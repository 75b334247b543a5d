import { McpError } from '@mocapi/core';
import { InProcessTaskExecutor, TaskExecutorFullError, type TaskSlot } from '@mocapi/tasks';
import { turns } from '../e2e/support/flow.js';

/** Takes places and notes, by their names, which have become ready. */
class Queue {
  readonly ready: string[] = [];
  readonly slots = new Map<string, TaskSlot>();

  constructor(readonly executor: InProcessTaskExecutor) {}

  reserve(name: string, options?: { account?: string; resumed?: boolean }): void {
    const slot = this.executor.reserve(options);
    this.slots.set(name, slot);
    void slot.ready.then(() => this.ready.push(name));
  }

  async release(name: string): Promise<void> {
    this.slots.get(name)!.release();
    await turns(1);
  }
}

const queueOf = (maxRunning: number, maxQueued = 10): Queue => new Queue(new InProcessTaskExecutor({ maxRunning, maxQueued }));
const load = ({ executor }: Queue): [number, number, number] => {
  const { running, queued, zombies } = executor.load();
  return [running, queued, zombies];
};

describe('InProcessTaskExecutor', () => {
  it('runs up to its limit at once', async () => {
    const queue = queueOf(2);
    for (const name of ['a', 'b', 'c']) queue.reserve(name);
    await turns(1);
    expect([queue.ready, load(queue)]).toEqual([
      ['a', 'b'],
      [2, 1, 0],
    ]);
  });

  it('lets the rest run in the order they came, one for each place that is given back', async () => {
    const queue = queueOf(1);
    for (const name of ['a', 'b', 'c', 'd']) queue.reserve(name);
    const order: number[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      await turns(1);
      order.push(queue.ready.length);
      await queue.release(name);
    }
    expect([queue.ready, order, load(queue)]).toEqual([
      ['a', 'b', 'c', 'd'],
      [1, 2, 3, 4],
      [0, 0, 0],
    ]);
  });

  it('takes a place at once, before anything is awaited', () => {
    const queue = queueOf(1, 1);
    queue.reserve('a');
    queue.reserve('b');
    expect(load(queue)).toEqual([1, 1, 0]);
    expect(() => queue.reserve('c')).toThrow(TaskExecutorFullError);
  });

  it('refuses when its queue is full, with a time to come back, and has room again afterwards', async () => {
    const queue = queueOf(1, 1);
    queue.reserve('a');
    queue.reserve('b');
    const refused = (): unknown => {
      try {
        return queue.reserve('c');
      } catch (error) {
        return error;
      }
    };
    expect(refused()).toBeInstanceOf(McpError);
    expect(refused()).toMatchObject({ code: -32603, retryAfterMs: 1000, data: { retryAfterMs: 1000 } });
    expect(load(queue)).toEqual([1, 1, 0]);
    await queue.release('a');
    queue.reserve('c');
    await queue.release('b');
    expect(queue.ready).toEqual(['a', 'b', 'c']);
  });

  it('may have no queue at all', async () => {
    const queue = queueOf(1, 0);
    queue.reserve('a');
    expect(() => queue.reserve('b')).toThrow(TaskExecutorFullError);
    await queue.release('a');
    queue.reserve('b');
    await turns(1);
    expect(queue.ready).toEqual(['a', 'b']);
  });

  it('lets a place be left from the middle of the queue, which then never becomes ready', async () => {
    const queue = queueOf(1);
    for (const name of ['a', 'b', 'c', 'd']) queue.reserve(name);
    await queue.release('c');
    expect(load(queue)).toEqual([1, 2, 0]);
    for (const name of ['a', 'b', 'd']) await queue.release(name);
    expect([queue.ready, load(queue)]).toEqual([
      ['a', 'b', 'd'],
      [0, 0, 0],
    ]);
  });

  it('takes a place back once, however often it is given back', async () => {
    const queue = queueOf(1);
    for (const name of ['a', 'b', 'c']) queue.reserve(name);
    await queue.release('a');
    await queue.release('a');
    expect([queue.ready, load(queue)]).toEqual([
      ['a', 'b'],
      [1, 1, 0],
    ]);
    await queue.release('c');
    await queue.release('c');
    await queue.release('b');
    await queue.release('b');
    expect(load(queue)).toEqual([0, 0, 0]);
  });

  it('turns no resumed attempt away, and still runs it in its turn', async () => {
    const queue = queueOf(1, 1);
    queue.reserve('a');
    queue.reserve('b');
    queue.reserve('resumed', { resumed: true });
    expect(load(queue)).toEqual([1, 2, 0]);
    expect(() => queue.reserve('c')).toThrow(TaskExecutorFullError);
    await queue.release('a');
    expect(queue.ready).toEqual(['a', 'b']);
    await queue.release('b');
    expect(queue.ready).toEqual(['a', 'b', 'resumed']);
  });

  it('counts bodies that were given up on, each until it has ended', () => {
    const queue = queueOf(2);
    const ends = [queue.executor.abandoned('ann')!, queue.executor.abandoned('bob')!];
    expect(queue.executor.abandoned('cem')).toBeUndefined();
    expect(load(queue)).toEqual([0, 0, 2]);
    ends[0]!();
    ends[0]!();
    expect(load(queue)).toEqual([0, 0, 1]);
    ends[1]!();
    expect(load(queue)).toEqual([0, 0, 0]);
  });

  it('passes over what waits of an account with as many such bodies as one may have, and begins it once one has ended', async () => {
    const queue = new Queue(new InProcessTaskExecutor({ maxRunning: 1, maxQueued: 10, maxAbandoned: 4 }));
    queue.reserve('eve 1', { account: 'eve' });
    queue.reserve('eve 2', { account: 'eve' });
    queue.reserve('ann', { account: 'ann' });
    const ended = queue.executor.abandoned('eve')!;
    expect(queue.executor.abandoned('eve')).toBeUndefined();
    expect(() => queue.reserve('eve 3', { account: 'eve' })).toThrow(TaskExecutorFullError);
    queue.reserve('eve taken over', { account: 'eve', resumed: true });
    await queue.release('eve 1');
    await queue.release('ann');
    expect([queue.ready, load(queue)]).toEqual([
      ['eve 1', 'ann'],
      [0, 2, 1],
    ]);
    ended();
    await turns(1);
    expect([queue.ready, load(queue)]).toEqual([
      ['eve 1', 'ann', 'eve 2'],
      [1, 1, 0],
    ]);
  });

  it('keeps its counts right through 2,000 random moves', async () => {
    let seed = 20260728;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return seed % below;
    };
    const queue = queueOf(3, 5);
    const live: string[] = [];
    for (let move = 0; move < 2000; move++) {
      if (random(2) === 0) {
        try {
          queue.reserve(`${move}`, { resumed: random(10) === 0 });
          live.push(`${move}`);
        } catch (error) {
          expect(error).toBeInstanceOf(TaskExecutorFullError);
          expect(live.length).toBeGreaterThanOrEqual(8);
        }
      } else if (live.length > 0) {
        const [name] = live.splice(random(live.length), 1);
        queue.slots.get(name!)!.release();
      }
      const running = Math.min(3, live.length);
      expect(load(queue)).toEqual([running, live.length - running, 0]);
    }
  });
});
