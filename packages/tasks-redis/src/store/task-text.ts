import { assertKnownFormat, deepFreeze, type TaskKey, type TaskRecord, type TaskView } from '@mocapi/tasks';
import type { RecordCipher } from '../encryption/record-cipher.js';
import { type Questions, withAsked, withoutAsked } from './asked-slots.js';
import { type Ledger, ledgerOf } from './ledger-log.js';
import { assertBelongs, malformed, parsed, type StoredTask } from './stored-task.js';
import { HEAD_BYTES, readHead } from './task-head.js';

/** A line of a task as it is stored, and its bytes before encryption. */
export interface StoredLines {
  readonly text: string;
  readonly size: number;
}

const END = '\n';
/** Members that are not in the document; JSON leaves them out. */
const APART = { createdAt: undefined, lastUpdatedAt: undefined, version: undefined, ledger: undefined };

/** Turns tasks into the lines of their strings and back; `head.lua.ts` says how they stand there. */
export class TaskText {
  constructor(private readonly cipher?: RecordCipher) {}

  /** The document of a record, all of it but the ledger and what the head holds, without the end of its line. */
  document(key: TaskKey, record: TaskRecord): StoredLines {
    return this.line(key, JSON.stringify(Object.assign({}, record, APART)));
  }

  /** Entries of a ledger, each with the end of its line. @param questions the open ones of the record */
  entries(key: TaskKey, entries: Ledger, questions: Questions): StoredLines {
    const lines = entries.map((entry) => this.entry(key, JSON.stringify(withoutAsked(entry, questions))));
    return { text: lines.map(({ text }) => text).join(''), size: lines.reduce((sum, { size }) => sum + size, 0) };
  }

  /** An entry of a ledger, with the end of its line. @param json the entry */
  entry(key: TaskKey, json: string): StoredLines {
    const { text, size } = this.line(ledgerKey(key), json);
    return { text: text + END, size };
  }

  /**
   * The task in a string of Redis.
   * @throws TaskFormatError if a newer release wrote it; Error if it is no task, a task that belongs under another key, or the cipher refuses it
   */
  read(key: TaskKey, text: string): StoredTask {
    const { own, op, size } = readHead(text, this.cipher);
    const [line = '', ...lines] = text.slice(HEAD_BYTES).split(END);
    // Each line has an end, so what stands behind the last one is nothing.
    if (lines.pop() !== '') throw malformed(this.cipher);
    const document = this.opened(key, line);
    const task = parsed(document, this.cipher) as TaskView;
    const entries = lines.map((entry) => parsed(this.opened(ledgerKey(key), entry), this.cipher) as Ledger[number]);
    const ledger = ledgerOf(entries.map((entry) => withAsked(entry, task.inputRequests)));
    const record = deepFreeze({ ...task, ledger, ...own }) as TaskRecord;
    return {
      record: assertKnownFormat(assertBelongs(key, record)),
      op,
      size,
      documentSize: Buffer.byteLength(document.trimEnd()),
      form: 'string',
    };
  }

  /**
   * The task without its ledger, in a string of Redis or a first piece of it.
   * @returns how many bytes the piece must have, if it ends before the document does
   * @throws as `read` does
   */
  readView(key: TaskKey, piece: string): TaskView | number {
    const { own, line } = readHead(piece, this.cipher);
    const end = piece.indexOf(END, HEAD_BYTES);
    if (end === -1) return HEAD_BYTES + line + 1;
    const document = parsed(this.opened(key, piece.slice(HEAD_BYTES, end)), this.cipher);
    const view = assertBelongs(key, deepFreeze({ ...document, ...own }) as TaskView);
    assertKnownFormat({ ...view, ledger: [] });
    return view;
  }

  private line(key: TaskKey, clear: string): StoredLines {
    const text = this.cipher ? this.cipher.seal(key, clear) : clear;
    if (text.includes(END)) throw new Error('A cipher of records must return one line of text');
    return { text, size: Buffer.byteLength(clear) };
  }

  private opened(key: TaskKey, line: string): string {
    // A document is filled up with blanks so that a longer one fits in its place.
    return this.cipher ? this.cipher.open(key, line.trimEnd()) : line;
  }
}

/** An entry of a ledger, frozen. @param value what its line holds */
export function frozenEntry(value: object): Ledger[number] {
  return deepFreeze(value) as Ledger[number];
}

/** The purpose for which entries are sealed: none of them opens as a document, nor the other way round. */
function ledgerKey(key: TaskKey): TaskKey {
  return `${key}/ledger` as TaskKey;
}
