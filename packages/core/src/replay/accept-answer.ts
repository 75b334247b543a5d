import type { JsonValue } from '../protocol/json.js';
import { acceptElicitation } from './accept-elicitation.js';
import { acceptRoots } from './accept-roots.js';
import { acceptSample } from './accept-sample.js';
import type { LedgerEntry } from './ledger-entry.js';

/**
 * The part of `raw` that answers the question in `entry`, or undefined: an answer that does not conform to the question
 * leaves it open. Answers carry no mark of their kind, so what was asked decides how they are read, never how they look
 * (MCP basic "Multi round-trip requests").
 */
export function acceptAnswer(entry: LedgerEntry, raw: unknown): JsonValue | undefined {
  switch (entry.kind) {
    case 'elicitation':
      return acceptElicitation(entry.request, raw);
    case 'sampling':
      return acceptSample(entry.request, raw);
    case 'roots':
      return acceptRoots(raw);
    case 'step':
      return undefined;
  }
}
