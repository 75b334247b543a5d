import { hash } from 'node:crypto';
import { TaskFormatError, type TaskRecord, type TaskView } from '@mocapi/tasks';
import type { RecordCipher } from '../encryption/record-cipher.js';
import { malformed, ownMembers, type OwnMembers } from './stored-task.js';

/** Bytes of the head of a task's string; `head.lua.ts` says what stands where. */
export const HEAD_BYTES = 119;

/** The format in which this release writes tasks, and the newest that it reads. Format 1 is a hash. */
export const TASK_FORMAT = 2;

const NO_RUN = '------------';
const FORMAT = /^T(\d{3})/;

/** The content of the head of a task's string. */
export interface TaskHead {
  readonly own: OwnMembers;
  readonly op: string;
  /** Bytes of the document's line, as it is stored. */
  readonly line: number;
  /** Bytes of document and entries before encryption. */
  readonly size: number;
}

/** The head of a task's string. @throws TaskFormatError if a newer release wrote it; Error if it is no task's */
export function readHead(text: string, cipher: RecordCipher | undefined): TaskHead {
  const format = Number(FORMAT.exec(text)?.[1]);
  if (format > TASK_FORMAT) throw new TaskFormatError(`The record was written in format ${format} by a newer release`);
  if (format !== TASK_FORMAT || text[HEAD_BYTES - 1] !== '\n') throw malformed(cipher);
  const own = ownMembers([text.slice(46, 59), text.slice(59, 72), text.slice(4, 14)], cipher);
  return { own, op: text.slice(14, 30), line: Number(text.slice(100, 109)), size: Number(text.slice(109, 118)) };
}

/**
 * Distinguishes the run that holds a task from any other run, and nothing else; the same for every task that no run
 * holds.
 */
export function stampOf({ status, run }: Pick<TaskView, 'status' | 'run'>): string {
  return status === 'working' && run ? stampOfRun(run) : NO_RUN;
}

/** The stamp of a task while this run holds it. */
export function stampOfRun({ id, fence }: Pick<NonNullable<TaskRecord['run']>, 'id' | 'fence'>): string {
  return hash('sha256', `mcp-run/1 ${fence} ${id}`, 'base64url').slice(0, NO_RUN.length);
}
