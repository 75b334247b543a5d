import type { FaultReport } from '../../support/fault.js';

/** Checks of one fault: what is wrong is kept in words, and nothing is thrown, so that a report says all there is to say. */
export class Checks {
  readonly wrong: string[] = [];

  /** @param problem told when `holds` is false */
  that(holds: boolean, problem: string): void {
    if (!holds) this.wrong.push(problem);
  }

  /** Keeps problems that were found elsewhere, the first few of many. */
  none(problems: readonly string[]): void {
    this.wrong.push(...problems.slice(0, FEW), ...(problems.length > FEW ? [`and ${problems.length - FEW} more`] : []));
  }

  /** The report: it held if nothing was wrong. */
  report(report: Omit<FaultReport, 'held'>): FaultReport {
    const { wrong } = this;
    return { ...report, seen: [report.seen, ...wrong].join('; '), held: wrong.length === 0 };
  }
}

const FEW = 3;
