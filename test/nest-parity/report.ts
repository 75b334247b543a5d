import type { Difference } from './compare/differ.js';
import { acceptedBy, type AcceptedDifference, type Place } from './compare/judge.js';

/** A difference that nobody listed. */
export interface Failure {
  readonly place: Place;
  readonly input: unknown;
  readonly difference: Difference;
}

interface Line {
  rows: Set<string>;
  agreed: number;
  accepted: number;
  failed: number;
  uncarried: number;
}

/** The outcome of a run, as it adds up. */
export class Tally {
  readonly failures: Failure[] = [];
  /** How often each entry of the list was seen. */
  readonly seen = new Map<AcceptedDifference, number>();
  readonly uncarried = new Map<string, number>();
  private readonly lines = new Map<string, Line>();

  constructor(private readonly list: readonly AcceptedDifference[]) {}

  /** Counts one comparison. */
  compared(place: Place, input: unknown, differences: readonly Difference[]): void {
    const line = this.line(place);
    const unlisted = differences.filter((difference) => !this.accepts(place, difference));
    if (unlisted.length > 0) line.failed += 1;
    else if (differences.length > 0) line.accepted += 1;
    else line.agreed += 1;
    this.failures.push(...unlisted.map((difference) => ({ place, input, difference })));
  }

  /** Counts a request that a carrier cannot carry. */
  cannotCarry(place: Place, reason: string): void {
    this.line(place).uncarried += 1;
    const what = `${place.carrier}: ${reason}`;
    this.uncarried.set(what, (this.uncarried.get(what) ?? 0) + 1);
  }

  /** Comparisons that agreed, or whose differences are all listed. */
  get passed(): number {
    return [...this.lines.values()].reduce((sum, { agreed, accepted }) => sum + agreed + accepted, 0);
  }

  get failed(): number {
    return [...this.lines.values()].reduce((sum, { failed }) => sum + failed, 0);
  }

  /** One line for each group of rows. */
  describeGroups(): string {
    const described = [...this.lines].map(([name, { rows, agreed, accepted, failed, uncarried }]) => {
      const counts = `${agreed} agree, ${accepted} listed, ${failed} differ, ${uncarried} cannot be carried`;
      return `${name}: ${rows.size} rows, ${counts}`;
    });
    return described.join('\n');
  }

  private line({ group, row }: Place): Line {
    const line = this.lines.get(group) ?? { rows: new Set(), agreed: 0, accepted: 0, failed: 0, uncarried: 0 };
    line.rows.add(row);
    this.lines.set(group, line);
    return line;
  }

  private accepts(place: Place, difference: Difference): boolean {
    const entry = acceptedBy(this.list, place, difference);
    if (entry) this.seen.set(entry, (this.seen.get(entry) ?? 0) + 1);
    return entry !== undefined;
  }
}

const shorten = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
};

/** The failures, those with the same row, input and observations on one entry with all their carriers. */
export function describeFailures(failures: readonly Failure[]): string {
  const alike = new Map<string, { first: Failure; carriers: Set<string> }>();
  for (const failure of failures) {
    const { place, difference } = failure;
    const key = JSON.stringify([place.group, place.row, place.input, difference]);
    const found = alike.get(key) ?? { first: failure, carriers: new Set<string>() };
    found.carriers.add(place.carrier);
    alike.set(key, found);
  }
  return [...alike.values()].map(({ first, carriers }) => describeOne(first, [...carriers])).join('\n');
}

function describeOne({ place, input, difference }: Failure, carriers: readonly string[]): string {
  return [
    `\n${place.group} / ${place.row} / ${place.input}: ${difference.facet}, on ${carriers.join(', ')}`,
    `  input ${shorten(input)}`,
    `  REST  ${shorten(difference.rest)}`,
    `  MCP   ${shorten(difference.mcp)}`,
  ].join('\n');
}

/** What was listed and seen. */
export function describeAccepted(seen: ReadonlyMap<AcceptedDifference, number>): string {
  return [...seen].map(([{ reason, why }, count]) => `  ${String(count).padStart(4)}  ${reason} [${why}]`).join('\n');
}
