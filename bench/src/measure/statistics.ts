/** The middle of the values; the mean of the two in the middle where their number is even. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)]!;
  return (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How far the values lie apart, as a share of their median: 0.4 is 40 %. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}
