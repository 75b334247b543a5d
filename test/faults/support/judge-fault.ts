import { limitOf, type Fault, type FaultReport, type FaultScale } from './fault.js';

/** A fault that was run: it passed, or it says why not. */
export interface FaultVerdict {
  readonly id: string;
  readonly passed: boolean;
  /** The line of the report. */
  readonly line: string;
}

/** Runs a fault within its limit. It passes if it fired and what was expected was seen; a fault that throws or takes too long has failed. */
export async function judgeFault(fault: Fault, scale: FaultScale): Promise<FaultVerdict> {
  try {
    const report = await within(limitOf(fault, scale), fault.run(scale));
    const passed = report.held && report.fired !== '';
    return { id: fault.id, passed, line: lineOf(fault, report, passed) };
  } catch (error) {
    return { id: fault.id, passed: false, line: `${fault.id}  ${fault.title}: ${textOf(error)}  FAILED` };
  }
}

function lineOf({ id }: Fault, report: FaultReport, passed: boolean): string {
  const { injected, fired, expected, seen } = report;
  const parts = [`injected: ${injected}`, `fired: ${fired || 'no'}`, `expected: ${expected}`, `seen: ${seen}`, passed ? 'ok' : 'FAILED'];
  return [id, ...parts].join('  ');
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
