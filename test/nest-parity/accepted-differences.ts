import type { AcceptedDifference } from './compare/judge.js';

/** The most entries that the list may have. */
export const MOST_ACCEPTED = 25;

/**
 * The differences between a route and a handler of MCP that are meant. A difference that is not here fails the run, and so does an entry that no row shows any
 * more. Translations that hold for every handler are in `compare/differ.ts` and need no entry.
 */
export const ACCEPTED: readonly AcceptedDifference[] = [];
