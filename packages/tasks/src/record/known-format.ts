import { TASK_STATUSES } from './task-status.js';
import type { TaskRecord } from './task-record.js';

const STATUSES: ReadonlySet<string> = new Set(TASK_STATUSES);
const KINDS: ReadonlySet<string> = new Set<TaskRecord['ledger'][number]['kind']>(['elicitation', 'sampling', 'roots', 'step']);

/** The part of a stored record that this version does not know, for the log; undefined when it knows all of it. */
export function unknownPartOf({ status, ledger }: TaskRecord): string | undefined {
  if (!STATUSES.has(status)) return `status "${status}"`;
  const entry = ledger.find(({ kind }) => !KINDS.has(kind));
  return entry && `kind "${entry.kind}" of the entry "${entry.key}"`;
}
