import type { Sample } from '../measure/cell.js';

/** The samples of one round, by cell. */
export type Round = Readonly<Record<string, Sample>>;

/** A figure of a row. */
export interface Figure {
  /** The middle of all rounds: what is judged. */
  readonly median: number;
  /** The best of all rounds, which noise disturbs least. */
  readonly best: number;
}

/** The values to hold. A row without them is there for comparison. */
export interface Bounds {
  readonly must: number;
  readonly goal: number;
  /** Whether a value may be at most, or has to be at least, the bound. */
  readonly sense: 'most' | 'least';
}

/** A line of the report. */
export interface Row {
  readonly title: string;
  /** The unit of the figure: `F`, `×`, `ms`, `KB`. */
  readonly unit: string;
  /** The cells whose samples it is made of. The first is the one whose own time is printed. */
  readonly cells: readonly string[];
  readonly figure: (rounds: readonly Round[]) => Figure;
  readonly bounds?: Bounds;
}
