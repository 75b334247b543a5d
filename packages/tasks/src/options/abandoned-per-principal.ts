/** The part of `maxAbandoned` that one account may have unless told otherwise. */
const ACCOUNTS_PART = 4;

/** A quarter of `maxAbandoned`, and one at least: what one caller may have unless told otherwise. */
export function abandonedPerPrincipal(maxAbandoned: number): number {
  return Math.max(1, Math.floor(maxAbandoned / ACCOUNTS_PART));
}
