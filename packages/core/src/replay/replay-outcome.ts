import type { InputRequests } from '../protocol/messages.js';
import type { LedgerSnapshot } from './ledger-entry.js';

/** How one execution ended. */
export type ReplayOutcome<T> =
  | { readonly kind: 'completed'; readonly value: T; readonly ledger: LedgerSnapshot }
  /** Questions are outstanding: exactly those this execution reached unanswered. */
  | { readonly kind: 'inputRequired'; readonly requests: InputRequests; readonly ledger: LedgerSnapshot }
  | { readonly kind: 'failed'; readonly error: unknown; readonly ledger: LedgerSnapshot };
