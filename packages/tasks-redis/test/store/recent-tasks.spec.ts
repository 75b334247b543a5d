import { newTaskId, type TaskRecord } from '@mocapi/tasks';
import { sampleDraft } from '@mocapi/testing';
import { RecentTasks } from '../../src/store/recent-tasks.js';
import type { StoredTask } from '../../src/store/stored-task.js';
import type { WrittenEntry } from '../../src/store/stored-tasks.js';
import { keyOf } from '../support/open-store.js';

const task = (size: number, overrides: Partial<TaskRecord> = {}): StoredTask => ({
  record: { ...sampleDraft({ taskId: newTaskId() }), createdAt: 1000, lastUpdatedAt: 1000, version: 1, ...overrides },
  op: 'op',
  size,
  documentSize: size,
  form: 'string',
});

const step = (version: number, size = 10): WrittenEntry => ({
  json: JSON.stringify({ key: `step ${version}`, kind: 'step', fingerprint: '', answered: true }),
  op: `op ${version}`,
  size,
  version,
  lastUpdatedAt: 1000 + version,
});

it('puts a task together with the entries that were written behind it', () => {
  const recent = new RecentTasks(() => 0, 100);
  const running = task(10);
  const key = keyOf(running.record);
  recent.note(key, running, recent.now());
  for (const version of [2, 3]) recent.noteEntry(key, step(version));
  const whole = recent.get(key)!;
  expect(whole).toMatchObject({ op: 'op 3', size: 30, documentSize: 10, record: { version: 3, lastUpdatedAt: 1003 } });
  expect(whole.record.ledger.map((entry) => entry.key)).toEqual(['step 2', 'step 3']);
  recent.noteEntry(key, step(4));
  expect(recent.get(key)!.record.ledger.map((entry) => entry.key)).toEqual(['step 2', 'step 3', 'step 4']);
});

it('does not keep a task of which somebody else wrote a version', () => {
  const recent = new RecentTasks(() => 0, 100);
  const running = task(10);
  recent.note(keyOf(running.record), running, recent.now());
  recent.noteEntry(keyOf(running.record), step(3));
  expect(recent.count).toBe(0);
  recent.noteEntry(keyOf(running.record), step(4));
  expect(recent.get(keyOf(running.record))).toBeUndefined();
});

it('lets the longest unused go when entries take its room', () => {
  const recent = new RecentTasks(() => 0, 100);
  const [one, other] = [task(40), task(40)];
  for (const each of [one, other]) recent.note(keyOf(each.record), each, recent.now());
  recent.noteEntry(keyOf(one.record), step(2, 30));
  expect([one, other].map(({ record }) => recent.get(keyOf(record)) !== undefined)).toEqual([true, false]);
  recent.noteEntry(keyOf(one.record), step(3, 40));
  expect(recent.count).toBe(0);
});

it('knows when a task expires by the write that set its time, however many entries came since', () => {
  let passed = 0;
  const recent = new RecentTasks(() => passed, 100);
  const short = task(10, { ttlMs: 50 });
  recent.note(keyOf(short.record), short, recent.now());
  passed = 30;
  recent.noteEntry(keyOf(short.record), { ...step(2), lastUpdatedAt: 1030 });
  passed = 50;
  expect(recent.get(keyOf(short.record))?.op).toBe('op 2');
  passed = 51;
  expect(recent.get(keyOf(short.record))).toBeUndefined();
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
