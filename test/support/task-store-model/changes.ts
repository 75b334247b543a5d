import type { CallToolResult } from '@mocapi/core';
import {
  applyAnswers,
  cancelled,
  completed,
  failed,
  inputRequired,
  settle,
  takenOver,
  type TaskRecord,
  withStatusMessage,
} from '@mocapi/tasks';
import type { ModelChange, ModelTask } from './model.js';

/** A change as the engine makes it, and what it should make of a task. */
export interface Change {
  /** For the report of a failure. */
  readonly name: string;
  readonly mutate: (record: TaskRecord) => TaskRecord;
  readonly expected: ModelChange;
}

const QUESTION = { method: 'elicitation/create', params: { message: '?', requestedSchema: { type: 'object', properties: {} } } } as const;
const RESULT: CallToolResult = { resultType: 'complete', content: [] };
const AT_REST: Partial<ModelTask> = { open: [], run: undefined };

export function say(text: string): Change {
  return {
    name: `say "${text}"`,
    mutate: (record) => withStatusMessage(record, text),
    expected: (task) => (task.text === text ? undefined : { text }),
  };
}

export function cancel(): Change {
  return { name: 'cancel', mutate: (record) => cancelled(record), expected: () => ({ ...AT_REST, status: 'cancelled' }) };
}

export function fail(): Change {
  const error = { code: -32603, message: 'No' };
  return { name: 'fail', mutate: (record) => failed(record, error), expected: () => ({ ...AT_REST, status: 'failed', text: 'No' }) };
}

/** By the run `id`, if that still holds the task. */
export function complete(id: string): Change {
  return {
    name: `complete as ${id}`,
    mutate: (record) => settle(record, { id, fence: record.run?.fence ?? 0 }, (current) => completed(current, RESULT)),
    expected: ({ run }) => (run?.id === id ? { ...AT_REST, status: 'completed' } : undefined),
  };
}

/** By the run `id`: asks at `keys` that were not answered. */
export function ask(id: string, keys: readonly string[]): Change {
  const openOf = (answers: object): string[] => keys.filter((key) => !Object.hasOwn(answers, key));
  const answered = ({ ledger }: TaskRecord): object =>
    Object.fromEntries(ledger.filter((entry) => entry.answered).map(({ key }) => [key, true]));
  return {
    name: `ask ${keys.join(' and ')} as ${id}`,
    mutate: (record) => {
      const open = openOf(answered(record));
      const slots = open.map((key) => ({ key, kind: 'elicitation' as const, fingerprint: key, request: QUESTION, answered: false }));
      const ledger = [...record.ledger.filter((entry) => entry.answered), ...slots];
      const requests = Object.fromEntries(open.map((key) => [key, QUESTION]));
      if (open.length === 0) return record;
      return settle(record, { id, fence: record.run?.fence ?? 0 }, (current) => inputRequired(current, requests, ledger));
    },
    expected: ({ run, answers }) => {
      const open = openOf(answers);
      return run?.id === id && open.length > 0 ? { status: 'input_required', open, run: undefined } : undefined;
    },
  };
}

/** Answers what of `keys` is open, and resumes the task under the run `id` if nothing else is. */
export function answer(id: string, keys: readonly string[]): Change {
  const answers = Object.fromEntries(keys.map((key) => [key, { action: 'accept', content: {} }]));
  return {
    name: `answer ${keys.join(' and ')} as ${id}`,
    mutate: (record) => applyAnswers(record, answers, { owner: 'node', id }),
    expected: ({ open, answers: known, version }) => {
      const taken = open.filter((key) => keys.includes(key));
      if (taken.length === 0) return undefined;
      const left = open.filter((key) => !taken.includes(key));
      const given = { ...known, ...Object.fromEntries(taken.map((key) => [key, id])) };
      if (left.length > 0) return { open: left, answers: given };
      return { open: left, answers: given, status: 'working', run: { owner: 'node', id, fence: version + 1, attempt: 1 } };
    },
  };
}

/** Takes the task from the run `dead`, if that still holds it, under the run `id`. */
export function takeOver(dead: string, id: string): Change {
  return {
    name: `take over from ${dead} as ${id}`,
    mutate: (record) => takenOver(record, { id: dead, fence: record.run?.fence ?? 0 }, { owner: 'other', id }),
    expected: ({ run, version }) =>
      run?.id === dead ? { run: { owner: 'other', id, fence: version + 1, attempt: run.attempt + 1 } } : undefined,
  };
}

/** Gives the task another deadline. */
export function live(ttlMs: number): Change {
  return {
    name: `live ${ttlMs} ms`,
    // A task that has ended may be kept for less long, too; the model's tasks that have ended stay as they are.
    mutate: (record) =>
      record.ttlMs === ttlMs || record.result || record.error || record.status === 'cancelled' ? record : { ...record, ttlMs },
    expected: (task) => (task.ttlMs === ttlMs ? undefined : { ttlMs }),
  };
}
