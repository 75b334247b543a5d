import { assertJson } from '@mocapi/core';
import type { TaskRecord } from '../record/task-record.js';

/**
 * The record as a store would read it back, deep-frozen so that it can be handed out again and again.
 * Members that `previous`, itself of this making, already holds are taken from it: a status message does not cost a whole ledger.
 */
export function frozenRecord(record: TaskRecord, previous?: TaskRecord): TaskRecord {
  const members = Object.entries(record).filter(([, value]) => value !== undefined);
  const known = (previous ?? {}) as Readonly<Record<string, unknown>>;
  const fresh = members.filter(([name, value]) => value !== known[name]);
  for (const [name, value] of fresh) assertJson(value, name);
  // A round trip, not a structured clone: it also lets go of what a slice of a longer string holds on to.
  const copy = deepFreeze(JSON.parse(JSON.stringify(Object.fromEntries(fresh))) as object);
  // Over a copy with all members in place: filling an empty object one by one would take a third more memory.
  return Object.freeze(Object.assign(Object.fromEntries(members), copy)) as object as TaskRecord;
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member as object);
  }
  return Object.freeze(value);
}
