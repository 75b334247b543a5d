import { KeyLocks } from '../../src/store/key-locks.js';

it('lets works of one key go one after the other, in the order they came, and those of other keys at once', async () => {
  const locks = new KeyLocks<string>();
  const done: string[] = [];
  let finish: () => void = () => undefined;
  const first = locks.run('a', async () => {
    await new Promise<void>((resolve) => (finish = resolve));
    done.push('first');
  });
  const others = ['second', 'third'].map((name) => locks.run('a', async () => void done.push(name)));
  await locks.run('b', async () => void done.push('of b'));
  expect(done).toEqual(['of b']);
  finish();
  await Promise.all([first, ...others]);
  expect(done).toEqual(['of b', 'first', 'second', 'third']);
});

it('goes on after a work that failed, whose failure is its own, and keeps nothing', async () => {
  const locks = new KeyLocks<string>();
  const failing = locks.run('a', () => Promise.reject(new Error('first')));
  const next = locks.run('a', async () => 'second');
  await expect(failing).rejects.toThrow('first');
  await expect(next).resolves.toBe('second');
  expect(locks.size).toBe(0);
});
