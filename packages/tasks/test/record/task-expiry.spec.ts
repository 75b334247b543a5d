import { deadlineOf, isAlive } from '@mocapi/tasks';

describe('a task', () => {
  const task = { createdAt: 1000, ttlMs: 50 };

  it.each([
    [1000, true],
    [1050, true],
    [1051, false],
  ])('at %d is alive: %p', (now, alive) => {
    expect(isAlive(task, now)).toBe(alive);
  });

  it('without a ttl lives on and has no deadline', () => {
    expect(isAlive({ createdAt: 1000, ttlMs: null }, Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(deadlineOf({ createdAt: 1000, ttlMs: null })).toBeNull();
    expect(deadlineOf(task)).toBe(1050);
  });
});
