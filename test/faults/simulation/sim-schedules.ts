import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { evidence, type Fault, type FaultReport, type FaultScale } from '../support/fault.js';

/** What the simulation prints last. */
interface SimulationReport {
  readonly schedules: number;
  readonly events: number;
  readonly ms: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly failure?: { readonly seed: number; readonly violations: readonly string[] };
}

const ROOT = join(import.meta.dirname, '../../..');
const MAIN = 'packages/tasks/test/simulation/main.ts';
/** Milliseconds after which a scale has failed; the process is ended a moment before. */
const LIMIT_MS = { short: 90_000, long: 600_000 } as const;
const SCHEDULES: Readonly<Record<FaultScale, number>> = { short: 250, long: 10_000 };

/** Seeded schedules of engines over one store in virtual time, in a process of their own: it sees no other test's memory or clock. */
export const simulatedSchedules: Fault = {
  id: 'SIM',
  title: 'every invariant holds after each of many schedules of lost messages, stopped and killed nodes',
  limitMs: LIMIT_MS,
  async run(scale): Promise<FaultReport> {
    const planned = SCHEDULES[scale];
    const { schedules, events, ms, faults, failure } = await simulate(planned, LIMIT_MS[scale] - 2000);
    const struck = Object.values(faults).reduce((sum, times) => sum + times, 0);
    const missing = failure ? `seed ${failure.seed}: ${failure.violations.join('; ')}` : 'no violation';
    return {
      injected: `${planned} schedules of 2 to 4 nodes`,
      fired: evidence(struck, `faults of ${Object.keys(faults).length} kinds in ${events} events`),
      expected: `no violation in ${planned} schedules`,
      seen: `${missing} in ${schedules} schedules, ${ms} ms`,
      held: failure === undefined && schedules === planned,
    };
  },
};

async function simulate(count: number, timeout: number): Promise<SimulationReport> {
  // A schedule makes much that is soon forgotten: with room for it a seventh of the time is saved.
  const args = ['--max-semi-space-size=64', '--conditions=@mocapi/source', '--import', './tools/register.mjs', MAIN, String(count)];
  const options = { cwd: ROOT, maxBuffer: 64 * 1024 * 1024, timeout };
  // It ends with 1 when an invariant was violated, and has said by then which one.
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch((error: { stdout?: string }) => {
    if (!error.stdout) throw error;
    return { stdout: error.stdout };
  });
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as SimulationReport;
}
