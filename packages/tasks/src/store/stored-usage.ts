import type { Size } from './record-size.js';

/** Limits on what is stored, in total and for one caller. */
export interface StoredUsageBounds {
  readonly maxRecords: number;
  readonly maxStoredPerPrincipal: number;
  /** Bytes of memory that records take, roughly. */
  readonly maxBytes: number;
  /** The same for the records of one caller. */
  readonly maxBytesPerPrincipal: number;
}

/** Who stands in the way of a write: the caller's own tasks, or everybody's. */
export type NoRoom = 'caller' | 'all';

/** So much of the room for bytes new tasks may take: the rest is for those that are there to go on and end. */
const FOR_NEW = 0.75;
/** A change by so few bytes always has room, so that a task can be cancelled and can fail. */
const SMALL_CHANGE = 4096;

interface Held {
  count: number;
  bytes: number;
}

/** Usage of a store, by caller. */
export class StoredUsage {
  private readonly byAccount = new Map<string, Held>();
  private readonly all: Held = { count: 0, bytes: 0 };

  constructor(private readonly bounds: StoredUsageBounds) {}

  /** Why a new record has no room, or one that is there has none to grow; undefined if it has. @param former the size of one that is there */
  refusal(account: string, { memory }: Size, former?: Size): NoRoom | undefined {
    const { maxRecords, maxStoredPerPrincipal, maxBytes, maxBytesPerPrincipal } = this.bounds;
    const own = this.byAccount.get(account) ?? { count: 0, bytes: 0 };
    if (former) {
      const grown = memory - former.memory;
      if (grown <= SMALL_CHANGE) return undefined;
      if (own.bytes + grown > maxBytesPerPrincipal) return 'caller';
      return this.all.bytes + grown > maxBytes ? 'all' : undefined;
    }
    if (own.count >= maxStoredPerPrincipal || own.bytes + memory > FOR_NEW * maxBytesPerPrincipal) return 'caller';
    if (this.all.count >= maxRecords || this.all.bytes + memory > FOR_NEW * maxBytes) return 'all';
    return undefined;
  }

  /** Counts records that came, or went, and the bytes that did. */
  change(account: string, { count, bytes }: Readonly<Held>): void {
    const own = this.byAccount.get(account) ?? { count: 0, bytes: 0 };
    for (const held of [own, this.all]) {
      held.count += count;
      held.bytes += bytes;
    }
    if (own.count > 0) this.byAccount.set(account, own);
    else this.byAccount.delete(account);
  }
}
