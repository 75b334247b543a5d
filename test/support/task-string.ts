import type { TaskRecord } from '@mocapi/tasks';

/** A task's string in Redis, as a test reads it that looks itself, without a node between. Times are milliseconds by the clock of Redis. */
export interface TaskString {
  readonly format: number;
  readonly version: number;
  readonly op: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** All of the record but its ledger and what stands above. */
  readonly document: Omit<TaskRecord, 'ledger' | 'version' | 'createdAt' | 'lastUpdatedAt'>;
  /** The lines that were written to the ledger, in order. */
  readonly entries: TaskRecord['ledger'];
}

const HEAD = /^T(\d{3})(\d{10})(.{16})(.{16})(\d{13})(\d{13})(.{16})(.{12})(\d{9})(\d{9})\n/;

/** What stands in the string of a task that is not encrypted. A head alone has an empty document. */
export function readTaskString(text: string): TaskString {
  const [head, format, version, op, , createdAt, updatedAt] = HEAD.exec(text) ?? [];
  if (head === undefined) throw new Error(`This is no task: ${text.slice(0, 120)}`);
  const [document, ...entries] = text.slice(head.length).trimEnd().split('\n');
  return {
    format: Number(format),
    version: Number(version),
    op: op!,
    createdAt: Number(createdAt),
    updatedAt: Number(updatedAt),
    document: JSON.parse(document || '{}') as TaskString['document'],
    entries: entries.map((entry) => JSON.parse(entry) as TaskString['entries'][number]),
  };
}

/** The string with another document, as whatever node might have written it. */
export function withDocument(text: string, change: (document: TaskString['document']) => object): string {
  const [head, , version, op, birth, createdAt, updatedAt, deadline, run, , size] = HEAD.exec(text)!;
  const end = text.indexOf('\n', head.length);
  const document = JSON.stringify(change(JSON.parse(text.slice(head.length, end)) as TaskString['document']));
  const line = String(Buffer.byteLength(document)).padStart(9, '0');
  return `${text.slice(0, 4)}${version}${op}${birth}${createdAt}${updatedAt}${deadline}${run}${line}${size}\n${document}${text.slice(end)}`;
}

/** The string as a node of another format would have written it. */
export function withFormat(text: string, format: number): string {
  return `T${String(format).padStart(3, '0')}${text.slice(4)}`;
}

/** The string as another writer would have left it: the next version, by an operation that nobody knows. */
export function byAnotherWriter(text: string): string {
  return `${text.slice(0, 4)}${String(readTaskString(text).version + 1).padStart(10, '0')}another-writer--${text.slice(30)}`;
}
