import { newTaskId, type TaskRecord } from '@mocapi/tasks';
import { sampleDraft } from '@mocapi/testing';
import { RecentTasks } from '../../src/store/recent-tasks.js';
import type { StoredTask } from '../../src/store/stored-task.js';
import { keyOf } from '../support/open-store.js';

const task = (size: number, overrides: Partial<TaskRecord> = {}): StoredTask => ({
  record: { ...sampleDraft({ taskId: newTaskId() }), createdAt: 1000, lastUpdatedAt: 1000, version: 1, ...overrides },
  op: 'op',
  size,
});

it('keeps the newest up to its size, and lets the longest unused go', () => {
  const recent = new RecentTasks(() => 0, 100);
  const tasks = [task(40), task(40), task(40)];
  for (const each of tasks) recent.note(keyOf(each.record), each, recent.now());
  expect(tasks.map(({ record }) => recent.get(keyOf(record)) !== undefined)).toEqual([false, true, true]);
  recent.note(keyOf(tasks[1]!.record), tasks[1]!, recent.now());
  recent.note(keyOf(tasks[0]!.record), tasks[0]!, recent.now());
  expect(tasks.map(({ record }) => recent.get(keyOf(record)) !== undefined)).toEqual([true, true, false]);
});

it('does not keep what nobody executes, nor what is larger than all its room', () => {
  const recent = new RecentTasks(() => 0, 100);
  const running = task(10);
  const key = keyOf(running.record);
  recent.note(key, running, recent.now());
  const { run: _run, ...parked } = running.record;
  recent.note(key, { ...running, record: parked }, recent.now());
  recent.note(keyOf(task(1).record), task(101), recent.now());
  expect(recent.count).toBe(0);
});

it('gives nothing back that has expired since, whatever the clock of this process says', () => {
  let passed = 5;
  const recent = new RecentTasks(() => passed, 100);
  const short = task(10, { ttlMs: 50 });
  recent.note(keyOf(short.record), short, recent.now());
  passed += 50;
  expect(recent.get(keyOf(short.record))).toBe(short);
  passed += 1;
  expect(recent.get(keyOf(short.record))).toBeUndefined();
  expect(recent.count).toBe(0);
});

it('lets what has expired go when something new comes', () => {
  let passed = 0;
  const recent = new RecentTasks(() => passed, 100);
  for (let count = 0; count < 3; count++) recent.note(keyOf(task(1).record), task(10, { ttlMs: 50 }), recent.now());
  passed = 51;
  recent.note(keyOf(task(1).record), task(10), recent.now());
  expect(recent.count).toBe(1);
});
