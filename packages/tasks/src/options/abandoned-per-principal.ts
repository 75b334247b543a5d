/** The default share of `maxAbandoned` for one account. */
const ACCOUNTS_PART = 4;

/** The default for one caller: a quarter of `maxAbandoned`, and at least one. */
export function abandonedPerPrincipal(maxAbandoned: number): number {
  return Math.max(1, Math.floor(maxAbandoned / ACCOUNTS_PART));
}
