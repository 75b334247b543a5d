import type { Sample } from '../measure/cell.js';

/** The samples of one round, by cell. */
export type Round = Readonly<Record<string, Sample>>;

/** Results of one run of a probe, by name. */
export type ProbeResult = Readonly<Record<string, number>>;

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

interface Line {
  readonly title: string;
  /** The unit of the figure: `F`, `×`, `ms`, `KB`. */
  readonly unit: string;
  readonly bounds?: Bounds;
}

/** A line made of interleaved rounds. */
export interface RoundRow extends Line {
  /** The cells whose samples it is made of. The first is the one whose own time is printed. */
  readonly cells: readonly string[];
  readonly figure: (rounds: readonly Round[]) => Figure;
}

/** A line made of a scenario that runs by itself. */
export interface ProbeRow extends Line {
  readonly probe: string;
  /** Which of the values that the probe shows. */
  readonly value: string;
}

/** A line of the report. */
export type Row = RoundRow | ProbeRow;
