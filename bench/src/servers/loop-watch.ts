let longest = 0;
let last: number | undefined;

/** Notes from now on how long the event loop stands between two of its turns. It keeps the processor busy. */
export function watchLoop(): void {
  longest = 0;
  last = performance.now();
  setImmediate(turn);
}

/** The longest that it stood since then, in milliseconds. The watch ends. */
export function longestHold(): number {
  last = undefined;
  return longest;
}

function turn(): void {
  if (last === undefined) return;
  const now = performance.now();
  longest = Math.max(longest, now - last);
  last = now;
  setImmediate(turn);
}
