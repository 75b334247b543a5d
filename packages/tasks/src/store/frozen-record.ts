import { assertJson, type LedgerSnapshot } from '@mocapi/core';
import type { TaskRecord } from '../record/task-record.js';

/**
 * The record as a store would read it back, deep-frozen so that it can be handed out again and again.
 * Members that `previous`, itself of this making, already holds are taken from it, and so are single entries of its ledger: neither a
 * status message nor another step costs a whole ledger.
 */
export function frozenRecord(record: TaskRecord, previous?: TaskRecord): TaskRecord {
  const members = Object.entries(record).filter(([, value]) => value !== undefined);
  const known = (previous ?? {}) as Readonly<Record<string, unknown>>;
  const fresh = members.filter(([name, value]) => value !== known[name] && name !== 'ledger');
  const copy = { ...frozenCopy(fresh), ledger: frozenLedger(record.ledger, previous?.ledger) };
  // Over a copy with all members in place: filling an empty object one by one would take a third more memory.
  return Object.freeze(Object.assign(Object.fromEntries(members), copy)) as object as TaskRecord;
}

function frozenCopy(members: readonly (readonly [string, unknown])[]): object {
  for (const [name, value] of members) assertJson(value, name);
  // A round trip, not a structured clone: it also lets go of what a slice of a longer string holds on to.
  return deepFreeze(JSON.parse(JSON.stringify(Object.fromEntries(members))) as object);
}

function frozenLedger(ledger: LedgerSnapshot, previous: LedgerSnapshot = []): LedgerSnapshot {
  if (ledger === previous) return ledger;
  if (!Array.isArray(ledger)) assertJson(ledger, 'ledger');
  const known = new Set(previous);
  return Object.freeze(ledger.map((entry, index) => (known.has(entry) ? entry : frozenEntry(entry, index))));
}

function frozenEntry(entry: LedgerSnapshot[number], index: number): LedgerSnapshot[number] {
  assertJson(entry, `ledger[${index}]`);
  return deepFreeze(JSON.parse(JSON.stringify(entry)) as LedgerSnapshot[number]);
}

/** Freezes a value and all that is in it. @param value plain JSON that nobody else holds */
export function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member as object);
  }
  return Object.freeze(value);
}
