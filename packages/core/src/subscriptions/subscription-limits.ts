import type { McpPrincipal } from '../envelope/principal.js';
import { McpLimitError } from '../errors/refusals.js';

/** How many streams may be open at once. */
export interface SubscriptionBounds {
  readonly perPrincipal: number;
  readonly total: number;
}

/** When a place may be free again, in milliseconds: nobody knows when a stream ends, and asking costs little. */
const RETRY_AFTER_MS = 1_000;

const ANONYMOUS = Symbol('anonymous');

/** Counts the open streams of this process. Callers without a principal can't be told apart and count as one. */
export class SubscriptionLimits {
  private readonly held = new Map<string | symbol, number>();
  private total = 0;

  constructor(private readonly bounds: SubscriptionBounds) {}

  /** How many streams are open. */
  get open(): number {
    return this.total;
  }

  /**
   * Takes a place for one stream.
   * @returns a function that gives it back, once.
   * @throws McpError -32603 with `data.retryAfterMs` if there is none
   */
  take(principal: McpPrincipal | undefined): () => void {
    const holder = principal?.id ?? ANONYMOUS;
    const own = this.held.get(holder) ?? 0;
    if (own >= this.bounds.perPrincipal || this.total >= this.bounds.total) {
      throw new McpLimitError('Too many subscriptions are open: close one, or retry after data.retryAfterMs milliseconds', RETRY_AFTER_MS);
    }
    this.held.set(holder, own + 1);
    this.total += 1;
    let taken = true;
    return () => {
      if (taken) this.giveBack(holder);
      taken = false;
    };
  }

  private giveBack(holder: string | symbol): void {
    const left = (this.held.get(holder) ?? 1) - 1;
    if (left === 0) this.held.delete(holder);
    else this.held.set(holder, left);
    this.total -= 1;
  }
}
