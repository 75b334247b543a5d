// How suspects are tried: in groups, so that a few deaths find the one which nodes die of. Pure; `suspicionOf` is the other half of the rule.

/** How many of those that are suspected for the first time begin together: half of them. The other half is found innocent, or guilty, without the first. */
export function firstGroup(suspects: number): number {
  return Math.ceil(suspects / 2);
}

/**
 * How many waiting suspects begin together now: as many, from the first on, as the limits allow.
 * @param limits the most that each may begin with, itself included, in the order in which they wait
 * @param besides how many others would also be suspected after a death
 * @returns 0 if not even the first may begin beside those
 */
export function groupSize(limits: readonly number[], besides = 0): number {
  let least = Infinity;
  for (const [index, limit] of limits.entries()) {
    least = Math.min(least, limit);
    if (index + 1 + besides > least) return index;
  }
  return limits.length;
}
