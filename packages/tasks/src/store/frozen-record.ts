import type { TaskRecord } from '../record/task-record.js';
import { assertJson } from './assert-json.js';

/**
 * The record as a store would read it back, deep-frozen so that it can be handed out again and again.
 * Members that `previous`, itself of this making, already holds are taken from it: a status message does not cost a whole ledger.
 */
export function frozenRecord(record: TaskRecord, previous?: TaskRecord): TaskRecord {
  const known = (previous ?? {}) as Readonly<Record<string, unknown>>;
  const fresh: Record<string, unknown> = {};
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    if (value === known[name]) {
      kept[name] = value;
      continue;
    }
    assertJson(value, name);
    fresh[name] = value;
  }
  // A round trip, not a structured clone: it also lets go of what a slice of a longer string holds on to.
  const copy = deepFreeze(JSON.parse(JSON.stringify(fresh)) as object);
  return Object.freeze({ ...kept, ...copy } as object as TaskRecord);
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member as object);
  }
  return Object.freeze(value);
}
