import type { LedgerEntry, LedgerEntryKind, LedgerSnapshot } from './ledger.js';

/** How an execution differed from those that recorded its ledger: the handler was changed, or does not do the same each time. */
export interface LedgerDrift {
  /** Recorded results and answers that the execution did not reach, in the order of the ledger. Never those of a slot in `changed`. */
  readonly unused: readonly { readonly key: string; readonly kind: LedgerEntryKind }[];
  /** Keys of the steps that the execution ran because the ledger did not hold them. */
  readonly ran: readonly string[];
  /** The key that the handler reached with something else than it asked there before. The execution failed because of it. */
  readonly changed?: string;
  /** The handler returned, so it will not reach the entries in `unused` later. */
  readonly isComplete: boolean;
}

/** Compares the keys that an execution reaches with the ledger that it was given. */
export class LedgerUse {
  private readonly reached = new Set<string>();
  private readonly ran = new Set<string>();
  private readonly recorded: readonly LedgerEntry[];
  private changed?: string;

  constructor(given: LedgerSnapshot) {
    this.recorded = given.filter(({ answered }) => answered);
  }

  /** The handler reached a question or a step. */
  reach(key: string): void {
    this.reached.add(key);
  }

  /** The handler runs a step that was not recorded. */
  run(key: string): void {
    this.ran.add(key);
  }

  /** The handler reached a slot with something else than it holds. */
  change(key: string): void {
    this.changed ??= key;
  }

  /** The differences; undefined when there are none. @param isComplete the handler returned */
  drift(isComplete: boolean): LedgerDrift | undefined {
    const { changed } = this;
    const unused = this.recorded.filter(({ key }) => !this.reached.has(key)).map(({ key, kind }) => ({ key, kind }));
    if (changed === undefined && unused.length === 0) return undefined;
    return { unused, ran: [...this.ran], isComplete, changed };
  }
}
