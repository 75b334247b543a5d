import type { InputRequests, LedgerEntry, LedgerSnapshot } from '@mocapi/core/extension';
import { assertJson } from '@mocapi/core/internal';
import type { TaskDraft, TaskRecord } from '../record/task-record.js';
import { frozenCopy } from './frozen-copy.js';
import { EMPTY_RECORD, sizeOf, Tally } from './record-size.js';
import type { SharedFacts } from './shared-facts.js';

/** Parts that make a record cheaper, or that a store in memory needs. */
export interface FrozenRecordParts {
  /** The record before, itself of this making. */
  readonly previous?: TaskRecord;
  /** The size of the former record, which becomes that of the new one. */
  readonly tally?: Tally;
  /** The ledger, frozen and counted already. @default the one of the record, which is copied */
  readonly ledger?: LedgerSnapshot;
  /** For what clients say of themselves, which many records hold alike. */
  readonly facts?: SharedFacts;
}

/** Members that a store sets, and nobody else. */
export type StoreStamp = Pick<TaskRecord, 'createdAt' | 'lastUpdatedAt' | 'version'>;

type Members = Record<string, unknown>;

/**
 * The record as a store would read it back, deep-frozen so that it can be handed out again and again.
 * Members that `parts.previous` already holds are taken from it, and so are single entries of its ledger: neither a
 * status message nor another step costs a whole ledger. The open questions are those of the ledger, and not a second copy.
 * @param stamp what the store says, whatever stands in `record`
 * @throws NotJsonError naming the place that JSON can't hold without loss
 */
export function frozenRecord(record: TaskDraft, stamp: StoreStamp, parts: FrozenRecordParts = {}): TaskRecord {
  const { previous, tally = new Tally(EMPTY_RECORD), facts } = parts;
  const former = (previous ?? {}) as Members;
  const ledger = parts.ledger ?? frozenLedger(record.ledger, previous?.ledger, tally);
  const copy = presentMembers(record, stamp, ledger);
  for (const name of Object.keys(copy)) {
    const value = copy[name];
    const before = former[name];
    if (value === before || name === 'ledger') continue;
    if (before === undefined) tally.addName(name);
    else subtract(before, name, tally);
    if (name === 'inputRequests') {
      copy[name] = frozenQuestions(record, ledger);
      // In memory they are a part of the ledger.
      tally.add(sizeOf(copy[name]).json, 0);
    } else if (Number.isFinite(value)) tally.add(NUMBER_BYTES, NUMBER_BYTES);
    // Made by the server, and no part of a longer text.
    else if (typeof value === 'string' && name !== 'statusMessage') tally.addText(value);
    else copy[name] = facts && SHARED.has(name) ? facts.frozen(value, name, tally) : frozenCopy(value, name, tally);
  }
  if (previous) subtractGone(former, copy, tally);
  return Object.freeze(copy) as object as TaskRecord;
}

const SHARED: ReadonlySet<string> = new Set<keyof TaskRecord>(['clientCapabilities', 'clientInfo']);
/** Each number of a record, so that a new version or time costs no count. */
const NUMBER_BYTES = 6;

/**
 * A copy of the members that are there. Those of every record stand in a literal: V8 gives such objects one hidden class from the start, and would
 * make one for each object that is spread and then frozen.
 */
function presentMembers(record: TaskDraft, { createdAt, lastUpdatedAt, version }: StoreStamp, ledger: LedgerSnapshot): Members {
  const { taskId, toolName, handlerVersion, protocolVersion, clientCapabilities, status, ttlMs, pollIntervalMs } = record;
  const copy: Members = {
    taskId,
    toolName,
    handlerVersion,
    arguments: record.arguments,
    protocolVersion,
    clientCapabilities,
    status,
    createdAt,
    lastUpdatedAt,
    ttlMs,
    pollIntervalMs,
    ledger,
    version,
  };
  for (const name of Object.keys(record)) {
    const value = (record as object as Members)[name];
    if (value !== undefined && !(name in copy)) copy[name] = value;
  }
  return copy;
}

/** Takes off what the former record held and `copy` does not. */
function subtractGone(former: Members, copy: Members, tally: Tally): void {
  for (const name of Object.keys(former)) {
    if (name in copy) continue;
    subtract(former[name], name, tally);
    tally.addName(name, -1);
  }
}

function subtract(value: unknown, name: string, tally: Tally): void {
  if (typeof value === 'number') return tally.add(-NUMBER_BYTES, -NUMBER_BYTES);
  const { json, memory } = sizeOf(value);
  tally.add(-json, name === 'inputRequests' ? 0 : -memory);
}

/** A frozen ledger with one more entry, which alone is copied and counted. */
export function frozenLedgerWith(entry: LedgerEntry, former: LedgerSnapshot, tally: Tally): LedgerSnapshot {
  return Object.freeze([...former, frozenCopy(entry, `ledger[${former.length}]`, tally)]);
}

const NO_ENTRIES: LedgerSnapshot = Object.freeze([]);

function frozenLedger(ledger: LedgerSnapshot, former: LedgerSnapshot = [], tally: Tally): LedgerSnapshot {
  if (ledger === former) return ledger;
  if (ledger.length === 0 && former.length === 0) return NO_ENTRIES;
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
function frozenQuestions({ inputRequests, ledger }: TaskDraft, frozen: LedgerSnapshot): InputRequests {
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
