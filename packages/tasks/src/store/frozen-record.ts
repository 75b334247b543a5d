import type { InputRequests, LedgerEntry, LedgerSnapshot } from '@mocapi/core/extension';
import { assertJson } from '@mocapi/core/internal';
import type { TaskRecord } from '../record/task-record.js';
import { frozenCopy } from './frozen-copy.js';
import { EMPTY_RECORD, sizeOf, Tally } from './record-size.js';
import type { SharedFacts } from './shared-facts.js';

/** Parts of a store that keeps many records in memory. */
export interface FrozenRecordParts {
  /** The size of the former record, which becomes that of the new one. */
  readonly tally?: Tally;
  /** The ledger, frozen and counted already. @default the one of the record, which is copied */
  readonly ledger?: LedgerSnapshot;
  /** For what clients say of themselves, which many records hold alike. */
  readonly facts?: SharedFacts;
}

type Members = Record<string, unknown>;

/**
 * The record as a store would read it back, deep-frozen so that it can be handed out again and again.
 * Members that `previous`, itself of this making, already holds are taken from it, and so are single entries of its ledger: neither a
 * status message nor another step costs a whole ledger. The open questions are those of the ledger, and not a second copy.
 * @throws NotJsonError naming the place that JSON can't hold without loss
 */
export function frozenRecord(record: TaskRecord, previous?: TaskRecord, parts: FrozenRecordParts = {}): TaskRecord {
  const { tally = new Tally(EMPTY_RECORD), facts } = parts;
  const copy = presentMembers(record);
  const known = (previous ?? {}) as Members;
  const ledger = parts.ledger ?? frozenLedger(record.ledger, previous?.ledger, tally);
  for (const name of Object.keys(copy)) {
    const value = copy[name];
    if (value === known[name] || name === 'ledger') continue;
    tally.addName(name);
    if (name === 'inputRequests') {
      copy[name] = frozenQuestions(record, ledger);
      // In memory they are a part of the ledger.
      tally.add(sizeOf(copy[name]).json, 0);
    } else copy[name] = facts && SHARED.has(name) ? facts.frozen(value, name, tally) : frozenCopy(value, name, tally);
  }
  copy.ledger = ledger;
  if (previous) takeFormer(known, copy, tally);
  return Object.freeze(copy) as object as TaskRecord;
}

const SHARED: ReadonlySet<string> = new Set<keyof TaskRecord>(['clientCapabilities', 'clientInfo']);

function presentMembers(record: TaskRecord): Members {
  // Assigned, not spread: V8 would make a hidden class for each object that is spread and then frozen.
  const copy = Object.assign({}, record) as object as Members;
  if (!Object.values(copy).includes(undefined)) return copy;
  return Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined));
}

/** Takes off what the former record held and `copy` does not. Its ledger is seen to by entry. */
function takeFormer(former: Members, copy: Members, tally: Tally): void {
  for (const name of Object.keys(former)) {
    const value = former[name];
    if (value === copy[name] || name === 'ledger') continue;
    const gone = name === 'inputRequests' ? new Tally({ json: sizeOf(value).json, memory: 0 }) : sizeOf(value);
    gone.addName(name);
    tally.add(-gone.json, -gone.memory);
  }
}

/** A frozen ledger with one more entry, which alone is copied and counted. */
export function frozenLedgerWith(entry: LedgerEntry, former: LedgerSnapshot, tally: Tally): LedgerSnapshot {
  return Object.freeze([...former, frozenCopy(entry, `ledger[${former.length}]`, tally)]);
}

function frozenLedger(ledger: LedgerSnapshot, former: LedgerSnapshot = [], tally: Tally): LedgerSnapshot {
  if (ledger === former) return ledger;
  if (!Array.isArray(ledger)) assertJson(ledger, 'ledger');
  const gone = new Set<LedgerEntry>();
  for (const [index, entry] of former.entries()) if (entry !== ledger[index]) gone.add(entry);
  const entries: LedgerEntry[] = [];
  for (const [index, entry] of ledger.entries())
    entries.push(entry === former[index] || gone.delete(entry) ? entry : frozenCopy(entry, `ledger[${index}]`, tally));
  for (const entry of gone) {
    const { json, memory } = sizeOf(entry);
    tally.add(-json, -memory);
  }
  return Object.freeze(entries);
}

/** The open questions, which are those of the frozen ledger where each of them stands there as the same object. */
function frozenQuestions({ inputRequests, ledger }: TaskRecord, frozen: LedgerSnapshot): InputRequests {
  const frozenOf = new Map<unknown, unknown>();
  for (const [index, { request }] of ledger.entries()) frozenOf.set(request, frozen[index]!.request);
  const questions: [string, unknown][] = [];
  for (const [key, request] of Object.entries(inputRequests!)) {
    const question = frozenOf.get(request);
    if (question === undefined) return frozenCopy(inputRequests!, 'inputRequests', new Tally());
    questions.push([key, question]);
  }
  return Object.freeze(Object.fromEntries(questions)) as InputRequests;
}

/** Freezes a value and all that is in it. @param value plain JSON that nobody else holds */
export function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member as object);
  }
  return Object.freeze(value);
}
