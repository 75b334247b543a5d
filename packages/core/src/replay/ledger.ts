import type { InputRequest } from '../protocol/messages.js';
import type { JsonValue } from '../protocol/json.js';

/** Kind of a ledger entry: a question to the client, or a recorded step. */
export type LedgerEntryKind = 'elicitation' | 'sampling' | 'roots' | 'step';

/** One slot of the ledger. Plain JSON, so that both carriers can hold it. */
export interface LedgerEntry {
  readonly key: string;
  readonly kind: LedgerEntryKind;
  /** SHA-256 over the canonical JSON (RFC 8785) of the request; empty for a step. */
  readonly fingerprint: string;
  /** The question as it was asked; absent for a step. */
  readonly request?: InputRequest;
  /** Whether `response` holds: an answer may itself be `null`, a step's result absent. */
  readonly answered: boolean;
  /** The client's answer, or the step's result; absent for a step that returned nothing. */
  readonly response?: JsonValue;
  /** Stamp of the write that brought the answer; how a caller recognises its own. */
  readonly answeredBy?: string;
}

/** The ledger as a carrier holds it: in the order the slots were first reached. */
export type LedgerSnapshot = readonly LedgerEntry[];
