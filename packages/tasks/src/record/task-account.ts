import type { TaskRecord } from './task-record.js';

type Caller = { readonly [K in 'principal' | 'origin']?: TaskRecord[K] | undefined };

/**
 * Whom a task counts against in every limit by caller: its principal; without one the address that it was created from; without an address all
 * anonymous callers together. No principal's id can be the account of an anonymous caller.
 */
export function accountOf({ principal, origin }: Caller): string {
  if (principal) return `principal ${principal.id}`;
  return origin === undefined ? 'anonymous' : `origin ${origin}`;
}
