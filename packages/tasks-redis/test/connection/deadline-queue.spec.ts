import { until } from '@mocapi/redis-harness';
import { DeadlineQueue, RedisTimeoutError } from '../../src/connection/deadline-queue.js';

const MS = 50;
const never = () => new Promise<never>(() => undefined);
function pendingReply(): { readonly reply: Promise<void>; readonly arrive: () => void } {
  let arrive!: () => void;
  const reply = new Promise<void>((resolve) => (arrive = resolve));
  return { reply, arrive };
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('passes on what settles in time', async () => {
  const queue = new DeadlineQueue(MS);
  expect(await queue.within(Promise.resolve('reply'))).toBe('reply');
  await expect(queue.within(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});

it('ends each waiting after its own time, not before, and in the order in which it began', async () => {
  const queue = new DeadlineQueue(MS);
  const ended: { index: number; ms: number }[] = [];
  const wait = async (index: number): Promise<void> => {
    const began = performance.now();
    await expect(queue.within(never())).rejects.toBeInstanceOf(RedisTimeoutError);
    ended.push({ index, ms: performance.now() - began });
  };
  const first = wait(0);
  const began = performance.now();
  await until('some time has passed', () => performance.now() - began > MS / 2);
  await Promise.all([first, wait(1)]);
  expect(ended.map(({ index }) => index)).toEqual([0, 1]);
  for (const { ms } of ended) expect(ms).toBeGreaterThanOrEqual(MS - 1);
});

it('has one timer however many wait, and keeps no process alive when nobody does', async () => {
  const before = timers();
  const queue = new DeadlineQueue(600_000);
  for (const count of [100, 1]) {
    const replies = Array.from({ length: count }, pendingReply);
    const waiting = replies.map(({ reply }) => queue.within(reply));
    expect(timers()).toBe(before + 1);
    for (const { arrive } of replies) arrive();
    await Promise.all(waiting);
    expect(timers()).toBe(before);
  }
  queue.close();
  expect(timers()).toBe(before);
});
