import type { LedgerEntry, LedgerSnapshot } from './ledger-entry.js';

/** The working copy of a ledger during one execution. Keys are data: a Map, so that no key can reach a prototype. */
export class Ledger {
  private readonly entries: Map<string, LedgerEntry>;

  constructor(snapshot: LedgerSnapshot) {
    this.entries = new Map(snapshot.map((entry) => [entry.key, entry]));
  }

  get(key: string): LedgerEntry | undefined {
    return this.entries.get(key);
  }

  /** Adds a slot, or replaces the one of the same key where it stands. */
  put(entry: LedgerEntry): void {
    this.entries.set(entry.key, entry);
  }

  snapshot(): LedgerSnapshot {
    return [...this.entries.values()];
  }
}
