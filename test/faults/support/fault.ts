/** How much of a fault is run: `short` within `npm test`, `long` by `npm run test:faults`. */
export type FaultScale = 'short' | 'long';

/** What a fault did and what came of it: each a few words with the numbers, for one line of the report. */
export interface FaultReport {
  readonly injected: string;
  /** What proves that the fault happened, counted where it happened (see {@link evidence}). Empty: it did not, and then nothing was tested. */
  readonly fired: string;
  readonly expected: string;
  readonly seen: string;
  /** Whether what was seen is what was expected. */
  readonly held: boolean;
}

/** A fault that the product must withstand. Each is one file and an entry in a list; it cleans up what it started, however it ends. */
export interface Fault {
  /** Such as `F20`. One fault may have several entries, told apart by a suffix: `F01-fail`. */
  readonly id: string;
  /** The promise, as the title of a test: "nothing acknowledged is lost when …". */
  readonly title: string;
  /** In milliseconds, and then it has failed. By default 90 seconds short, on a machine that may be busy, and 5 minutes long. It ends what hangs: what a fault
   * promises of times it measures itself. */
  readonly limitMs?: Partial<Readonly<Record<FaultScale, number>>>;
  run(scale: FaultScale): Promise<FaultReport>;
}

/** The words of {@link FaultReport.fired} for something that was counted: none if it never happened. */
export function evidence(times: number, what: string): string {
  return times > 0 ? `${times} ${what}` : '';
}

/** How long `fault` may take at `scale`, in milliseconds. */
export function limitOf(fault: Fault, scale: FaultScale): number {
  return fault.limitMs?.[scale] ?? (scale === 'short' ? 90_000 : 300_000);
}
