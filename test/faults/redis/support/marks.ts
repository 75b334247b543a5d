import { isTerminal, type TaskRecord } from '@mocapi/tasks';

/** A write as the record shows it: who made it, and which version that was. */
export interface Mark {
  readonly name: string;
  readonly version: number;
}

/**
 * The record with the mark of one more write; a terminal one as it is. The mark says which version it makes, so a write that is
 * made twice shows twice, and a version without a mark shows as a gap.
 */
export function marked(record: TaskRecord, name: string): TaskRecord {
  if (isTerminal(record.status)) return record;
  const entry = { key: `${name}@${record.version + 1}`, kind: 'step', fingerprint: '', answered: true } as const;
  return { ...record, ledger: [...record.ledger, entry] };
}

/**
 * The same for a caller whose reply may be lost while others write on top: the record as it is if the mark is there already. So the
 * mutations of the product are made: a store that runs one again can't always know that it was made before, and the record says it.
 */
export function markedOnce(record: TaskRecord, name: string): TaskRecord {
  return marksOf(record).some((mark) => mark.name === name) ? record : marked(record, name);
}

/** The marks of a record in the order in which they were made. */
export function marksOf({ ledger }: Pick<TaskRecord, 'ledger'>): readonly Mark[] {
  return ledger.map(({ key }) => ({ name: key.slice(0, key.lastIndexOf('@')), version: Number(key.slice(key.lastIndexOf('@') + 1)) }));
}
