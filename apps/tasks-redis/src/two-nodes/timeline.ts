/** Tells one line of the story: who does what. */
export type Tell = (who: string, what: string) => void;

/** Prints lines with the seconds since this was called. */
export function timeline(print: (line: string) => void, now: () => number = performance.now.bind(performance)): Tell {
  const start = now();
  return (who, what) => print(`${seconds(now() - start).padStart(7)} s  ${who.padEnd(7)} ${what}`);
}

/** Milliseconds as seconds, with the digits that a person can use. */
export function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
