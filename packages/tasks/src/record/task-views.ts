import type { CreateTaskResult, DetailedTask, GetTaskResult, TaskFields } from '../protocol/task-wire.js';
import type { TaskRecord, TaskView } from './task-record.js';

/** The task as `tasks/get` and `notifications/tasks` show it: one function for both, so that they can't differ. */
export function toDetailedTask(record: TaskView): DetailedTask {
  const fields = toTaskFields(record);
  const { status } = record;
  switch (status) {
    case 'working':
    case 'cancelled':
      return Object.assign(fields, { status });
    case 'input_required':
      return Object.assign(fields, { status, inputRequests: present(record, 'inputRequests') });
    case 'completed':
      // The specification's examples leave the inner `resultType` out, but clients refuse a result without it.
      return Object.assign(fields, { status, result: { ...present(record, 'result'), resultType: 'complete' as const } });
    case 'failed':
      return Object.assign(fields, { status, error: present(record, 'error') });
  }
}

/** The result of `tasks/get`. Its own `resultType` is `complete`, whatever the task's status. */
export function toGetTaskResult(record: TaskView): GetTaskResult {
  return { resultType: 'complete', ...toDetailedTask(record) };
}

/** Members of every view of a task. */
export function toTaskFields(record: TaskView): TaskFields {
  const { taskId, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = record;
  const created = isoTime(createdAt);
  const lastUpdated = lastUpdatedAt === createdAt ? created : isoTime(lastUpdatedAt);
  const fields = { taskId, createdAt: created, lastUpdatedAt: lastUpdated, ttlMs, pollIntervalMs };
  return statusMessage === undefined ? fields : Object.assign(fields, { statusMessage });
}

const DAY_MS = 86_400_000;
const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
let knownDay: number | undefined;
let knownDate = '';

/** The text that `Date` gives, in an eighth of the time: nearly all tasks are of one day, whose date is kept. `ms` since 1970. */
export function isoTime(ms: number): string {
  const whole = Math.trunc(ms);
  const day = Math.floor(whole / DAY_MS);
  if (day !== knownDay) {
    const [date] = new Date(day * DAY_MS).toISOString().split('T');
    knownDate = `${date}T`;
    knownDay = day;
  }
  const millis = whole - day * DAY_MS;
  const seconds = Math.floor(millis / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const fraction = String(1000 + (millis % 1000)).slice(1);
  return `${knownDate}${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}.${fraction}Z`;
}

function present<K extends 'inputRequests' | 'result' | 'error'>(record: TaskView, member: K): NonNullable<TaskRecord[K]> {
  const value = record[member];
  if (value === undefined) throw new Error(`A task record with status "${record.status}" lacks "${member}"`);
  return value;
}

/**
 * Builds the answer to the call that became this task: flat, and without outcome, questions or `requestState`, which the
 * extension forbids here.
 */
export function toCreateTaskResult(record: TaskView): CreateTaskResult {
  return { resultType: 'task', ...toTaskFields(record), status: record.status };
}
