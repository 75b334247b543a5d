import type { TaskRecord } from '@mocapi/tasks';
import type { Ledger } from './ledger-log.js';

type Entry = Ledger[number];
/** The open questions of a record. */
export type Questions = TaskRecord['inputRequests'];

// The request of an open question stands in the document, which polls read. Its slot in the ledger is stored without it, and so not twice.

/** Whether a slot's request is that of an open question, as the same object. */
export function isAsked({ key, answered, request }: Entry, questions: Questions): boolean {
  return !answered && request !== undefined && questions !== undefined && Object.hasOwn(questions, key) && questions[key] === request;
}

/** The entry as it is stored beside these questions. */
export function withoutAsked(entry: Entry, questions: Questions): Entry {
  if (!isAsked(entry, questions)) return entry;
  const { request: _request, ...rest } = entry;
  return rest;
}

/** The entry as it was before `withoutAsked`. */
export function withAsked(entry: Entry, questions: Questions): Entry {
  const { key, kind, answered, request } = entry;
  if (answered || request !== undefined || kind === 'step' || !questions || !Object.hasOwn(questions, key)) return entry;
  return { ...entry, request: questions[key]! };
}
