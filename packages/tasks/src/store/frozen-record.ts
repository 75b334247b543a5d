import type { InputRequests, LedgerSnapshot } from '@mocapi/core/extension';
import { assertJson } from '@mocapi/core/internal';
import type { TaskRecord } from '../record/task-record.js';
import { frozenAndMeasured, measured, sizeOf, type Size } from './record-size.js';

/**
 * The record as a store would read it back, deep-frozen so that it can be handed out again and again, with the size of each member known.
 * Members that `previous`, itself of this making, already holds are taken from it, and so are single entries of its ledger: neither a
 * status message nor another step costs a whole ledger. The open questions are those of the ledger, and not a second copy.
 */
export function frozenRecord(record: TaskRecord, previous?: TaskRecord): TaskRecord {
  const members = Object.entries(record).filter(([, value]) => value !== undefined);
  const known = (previous ?? {}) as Readonly<Record<string, unknown>>;
  const ledger = frozenLedger(record.ledger, previous?.ledger);
  const fresh = members.filter(([name, value]) => value !== known[name] && name !== 'ledger');
  const copies = fresh.filter(([, value]) => isObject(value)).map(([name, value]) => [name, copyOf(name, value)] as const);
  const primitives = frozenCopy(Object.fromEntries(fresh.filter(([, value]) => !isObject(value))), 'record');
  // Over an object with all members in place: filling an empty object one by one would take a third more memory.
  const copy = Object.assign(Object.fromEntries(members), primitives, Object.fromEntries(copies), { ledger });
  return Object.freeze(copy) as object as TaskRecord;

  function copyOf(name: string, value: unknown): unknown {
    return (name === 'inputRequests' && sharedQuestions(record, ledger)) || frozenCopy(value, name);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A round trip through JSON, not a structured clone: it also lets go of what a slice of a longer string holds on to. */
function frozenCopy<T>(value: T, name: string): T {
  assertJson(value, name);
  const text = JSON.stringify(value);
  const copy = JSON.parse(text) as T;
  return isObject(copy) ? (frozenAndMeasured(copy, text) as T) : copy;
}

function frozenLedger(ledger: LedgerSnapshot, previous: LedgerSnapshot = []): LedgerSnapshot {
  if (ledger === previous) return ledger;
  if (!Array.isArray(ledger)) assertJson(ledger, 'ledger');
  const known = new Set(previous);
  const entries = ledger.map((entry, index) => (known.has(entry) ? entry : frozenCopy(entry, `ledger[${index}]`)));
  return measured(Object.freeze(entries), total(entries.map(sizeOf)));
}

/** The open questions as the frozen ledger holds them; undefined where one of them is not in the ledger as the same object. */
function sharedQuestions({ inputRequests, ledger }: TaskRecord, frozen: LedgerSnapshot): InputRequests | undefined {
  const at = new Map(ledger.map(({ request }, index) => [request, frozen[index]!.request]));
  const questions = Object.entries(inputRequests!).map(([key, request]) => [key, at.get(request)] as const);
  if (questions.some(([, request]) => request === undefined)) return undefined;
  const shared = Object.freeze(Object.fromEntries(questions)) as InputRequests;
  return measured(shared, { json: Buffer.byteLength(JSON.stringify(shared)), memory: 0 });
}

function total(sizes: readonly Size[]): Size {
  return sizes.reduce((sum, size) => ({ json: sum.json + size.json + 1, memory: sum.memory + size.memory }), { json: 2, memory: 0 });
}

/** Freezes a value and all that is in it. @param value plain JSON that nobody else holds */
export function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member as object);
  }
  return Object.freeze(value);
}
