import type { CallToolResult, JsonObject, JsonValue } from '@mocapi/core';
import type { InputRequests, LedgerEntry, LedgerSnapshot, WireError } from '@mocapi/core/extension';
import { isTerminal, type RunClaim, runOf, type RunToken, type TaskRecord, type TaskView } from './task-record.js';

// Every transition is pure and knows no clock: a store may run it several times, and alone sets times and version.
// Members are assigned where a spread would add some: V8 makes a hidden class for each object that gains a member after a spread.
// A transition that has no effect, as every one from a terminal status, returns the very object it was given.

/** Sets `completed` and the result. Clears the run and the open questions; the last status message stays. */
export function completed(record: TaskRecord, result: CallToolResult): TaskRecord {
  return isTerminal(record.status) ? record : Object.assign(atRest(record), { status: 'completed' as const, result });
}

/** Sets `failed`, the error and a status message, which is the error's own unless given. Clears the run and the open questions. */
export function failed(record: TaskRecord, error: WireError, statusMessage?: string): TaskRecord {
  if (isTerminal(record.status)) return record;
  return Object.assign(atRest(record), {
    status: 'failed' as const,
    error,
    statusMessage: statusMessage || error.message || 'The task failed',
  });
}

/** Sets `cancelled`. Clears the run and the open questions; the last status message stays unless another is given. */
export function cancelled(record: TaskRecord, statusMessage?: string): TaskRecord {
  if (isTerminal(record.status)) return record;
  return withText(Object.assign(atRest(record), { status: 'cancelled' as const }), statusMessage);
}

/**
 * Sets `input_required`, the open questions and their ledger. Clears the run: nobody holds a parked task. Each
 * question needs an unanswered slot in the ledger. So an answered key is never asked again, and an answer has its
 * place.
 */
export function inputRequired(record: TaskRecord, requests: InputRequests, ledger: LedgerSnapshot): TaskRecord {
  if (isTerminal(record.status)) return record;
  const open = new Set<string>();
  for (const { key, answered: isAnswered } of ledger) if (!isAnswered) open.add(key);
  const keys = Object.keys(requests);
  if (keys.length === 0) throw new TypeError('A task that requires input needs a question');
  for (const key of keys) if (!open.has(key)) throw new TypeError(`The question "${key}" has no unanswered slot in the ledger`);
  return Object.assign(atRest(record), { status: 'input_required' as const, inputRequests: requests, ledger });
}

/**
 * Puts answers into their slots, stamped `answeredBy`, and removes their questions. Keys that are not outstanding are passed over.
 * Half a step: with no question left the record still says `input_required`. `applyAnswers` is the whole.
 */
export function answered(record: TaskRecord, answers: JsonObject, answeredBy: string): TaskRecord {
  if (record.status !== 'input_required') return record;
  const questions = Object.entries(record.inputRequests ?? {});
  const taken = new Set(questions.map(([key]) => key).filter((key) => Object.hasOwn(answers, key)));
  if (taken.size === 0) return record;
  return {
    ...record,
    ledger: record.ledger.map((entry) => (taken.has(entry.key) ? withResponse(entry, answers[entry.key], answeredBy) : entry)),
    inputRequests: Object.fromEntries(questions.filter(([key]) => !taken.has(key))),
  };
}

/**
 * Sets `working` and a run, the first of its attempts. Clears the questions.
 * Changes nothing while a run holds the task or a question is open, so of several claimants one wins: the one whose id stands in `run.id`.
 */
export function working(record: TaskRecord, claim: RunClaim): TaskRecord {
  if (isTerminal(record.status) || record.run !== undefined || hasOpenQuestions(record)) return record;
  return Object.assign(atRest(record), { status: 'working' as const, run: runOf(claim, { fence: record.version + 1, attempt: 1 }) });
}

/** Any write of an attempt: makes `transition` if `token` is still the run, and changes nothing otherwise. */
export function settle(record: TaskRecord, token: RunToken, transition: (record: TaskRecord) => TaskRecord): TaskRecord {
  return isRunBy(record, token) ? transition(record) : record;
}

/** Whether `token` is the run that holds this task. */
export function isRunBy<T extends TaskView>(record: T, token: RunToken): record is T & Required<Pick<TaskRecord, 'run'>> {
  return record.status === 'working' && record.run?.id === token.id && record.run.fence === token.fence;
}

/** Sets the status message in any status that is not terminal. The same text has no effect. */
export function withStatusMessage(record: TaskRecord, text: string): TaskRecord {
  return isTerminal(record.status) ? record : withText(record, text);
}

/** Records one slot, in place or at the end: a step that is done. An answered slot is never written again. */
export function withLedgerEntry(record: TaskRecord, entry: LedgerEntry): TaskRecord {
  if (isTerminal(record.status)) return record;
  const index = record.ledger.findIndex(({ key }) => key === entry.key);
  if (index === -1) return { ...record, ledger: [...record.ledger, entry] };
  return record.ledger[index]?.answered ? record : { ...record, ledger: record.ledger.with(index, entry) };
}

/** The record without what only a run or an open question needs. */
function atRest(record: TaskRecord): TaskRecord {
  const { run: _run, inputRequests: _inputRequests, ...rest } = record;
  return rest;
}

function withResponse(entry: LedgerEntry, response: JsonValue | undefined, answeredBy: string): LedgerEntry {
  return entry.answered || response === undefined ? entry : { ...entry, answered: true, response, answeredBy };
}

function withText(record: TaskRecord, text: string | undefined): TaskRecord {
  return text === undefined || text === record.statusMessage ? record : Object.assign({}, record, { statusMessage: text });
}

function hasOpenQuestions(record: TaskRecord): boolean {
  return record.status === 'input_required' && Object.keys(record.inputRequests ?? {}).length > 0;
}

/**
 * Applies `tasks/update` to a record. `answers` were validated against the questions; answers that did not conform are
 * not among them.
 * - Only outstanding keys are taken, each once: the first answer stays. All others, and every key of a task that asks nothing, are ignored.
 * - The task leaves `input_required` when its last open question is answered, and then is `working` under a run of `claim`.
 * - If nothing was taken, the same object is returned.
 *
 * A store may run this several times, so a caller learns from the record that came back, and from nothing else, what it brought about:
 * it begins the attempt if `run.id` is its `claim.id`; the answers taken from it are those with `answeredBy` equal to `claim.id`.
 */
export function applyAnswers(record: TaskRecord, answers: JsonObject, claim: RunClaim): TaskRecord {
  const next = answered(record, answers, claim.id);
  return next === record ? record : working(next, claim);
}
