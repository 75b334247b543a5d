import type { TaskRecord } from '@mocapi/tasks';

/** The ledger of a record. */
export type Ledger = TaskRecord['ledger'];

/** How a ledger became the next one. */
export interface LedgerChange {
  /** Whether the entries that are stored stay, and `entries` come behind them. Otherwise `entries` are all there is. */
  readonly keeps: boolean;
  readonly entries: Ledger;
}

const UNCHANGED: LedgerChange = { keeps: true, entries: [] };

/** The ledger that entries make in the order in which they were written: the first stands in its place, a later one of its key fills the slot if it is open. */
export function ledgerOf(entries: Iterable<Ledger[number]>): Ledger {
  const slots = new Map<string, Ledger[number]>();
  for (const entry of entries) if (!slots.get(entry.key)?.answered) slots.set(entry.key, entry);
  return Object.freeze([...slots.values()]);
}

/**
 * The write after which `next` is read, by the rule of `ledgerOf`. Entries that are the same objects have not changed.
 * @param base the ledger that is stored
 */
export function changeOf(base: Ledger, next: Ledger): LedgerChange {
  if (next === base) return UNCHANGED;
  const changed = next.filter((entry, index) => entry !== base[index]);
  if (changed.length === 0 && next.length === base.length) return UNCHANGED;
  return fitsBehind(base, next) ? { keeps: true, entries: changed } : { keeps: false, entries: next };
}

function fitsBehind(base: Ledger, next: Ledger): boolean {
  if (next.length < base.length) return false;
  const inPlace = base.every((entry, index) => entry === next[index] || (!entry.answered && entry.key === next[index]!.key));
  const added = next.slice(base.length);
  if (!inPlace || added.length === 0) return inPlace;
  const keys = new Set(base.map(({ key }) => key));
  return added.every(({ key }) => !keys.has(key) && keys.add(key));
}
