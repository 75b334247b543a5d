import {
  applyAnswers,
  cancelled,
  completed,
  failed,
  inputRequired,
  type TaskRecord,
  withLedgerEntry,
  withStatusMessage,
  working,
} from '@mocapi/tasks';
import { change, given, leavesUntouched, type TaskStoreCase } from './task-store.fixture.js';
import { ERROR, QUESTION, questionSlot, RESULT } from './task-store.samples.js';

const claim = { owner: 'node-2', id: 'late' };

const ends: Readonly<Record<string, (record: TaskRecord) => TaskRecord>> = {
  completed: (record) => completed(record, RESULT),
  failed: (record) => failed(record, ERROR),
  cancelled: (record) => cancelled(record, 'called off'),
};

const late: readonly ((record: TaskRecord) => TaskRecord)[] = [
  ...Object.values(ends),
  (record) => inputRequired(record, { late: QUESTION }, [questionSlot('late')]),
  (record) => applyAnswers(record, { late: { action: 'decline' } }, claim),
  (record) => working(record, claim),
  (record) => withStatusMessage(record, 'late'),
  (record) => withLedgerEntry(record, questionSlot('late')),
];

/** Promises about a task that has ended. */
export const terminalCases: readonly TaskStoreCase[] = Object.entries(ends).map(([status, end]) => ({
  promise: `nothing changes a task once it is ${status}, not even its times`,
  async check(fixture) {
    const { key } = await given(fixture.store);
    await change(fixture.store, key, end);
    for (const transition of late) await leavesUntouched(fixture, key, () => fixture.store.update(key, transition));
  },
}));
