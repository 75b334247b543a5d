import { newTaskId, type TaskKey, taskKeyOf } from '@mocapi/tasks';
import { FakeClock } from '@mocapi/testing';
import { FirstSeen } from '../../src/nodes/first-seen.js';

const KEEP = 1000;
const someKey = (): TaskKey => taskKeyOf(undefined, newTaskId());

let clock: FakeClock;
let seen: FirstSeen;

beforeEach(() => {
  clock = new FakeClock();
  seen = new FirstSeen(clock, KEEP);
});

it('a task is as old as its first note, and not older for being forgotten or unknown', async () => {
  const [key, other] = [someKey(), someKey()];
  seen.note(key);
  await clock.advance(KEEP / 2);
  seen.note(key);
  expect([seen.ageMs(key), seen.ageMs(other)]).toEqual([KEEP / 2, 0]);
  seen.forget(key);
  expect([seen.ageMs(key), seen.size]).toEqual([0, 0]);
});

it('tasks that nobody asks about any more are not remembered for ever', async () => {
  for (let count = 0; count < 100; count++) seen.note(someKey());
  await clock.advance(KEEP + 1);
  const key = someKey();
  seen.note(key);
  expect(seen.size).toBe(1);
  await clock.advance(KEEP);
  seen.note(someKey());
  expect([seen.ageMs(key), seen.size]).toEqual([KEEP, 2]);
});
