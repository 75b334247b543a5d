// The tasks scenarios, each forced: the suite would otherwise skip them in silence, or leave them out of its exit code.
import { runSuite } from './run-suite.mjs';
import { table } from './table.mjs';
import { LIVE_SCENARIOS, SKIPPED_SCENARIO } from './tasks-scenarios.mjs';
import { passes, verdictOn } from './verdict.mjs';

/** @typedef {import('../../tools/test-tally.mjs').Tally} Tally */

/** They mostly wait, so some may run at once. The longest come first. */
const AT_ONCE = 3;

/**
 * Runs all ten against a server, prints what came of it and counts checks.
 * @param {string} url
 * @returns {Promise<{ tally: Tally, counted: string }>}
 */
export async function conformTasks(url) {
  const scenarios = [...LIVE_SCENARIOS.keys(), SKIPPED_SCENARIO];
  const verdicts = await inTurns(scenarios, (scenario) => judge(url, scenario));
  console.log(table(verdicts.map((verdict) => ({ ...verdict, mark: markOf(verdict) }))));

  const live = verdicts.filter(passes).length;
  const passed = sumOf(verdicts, 'passed');
  console.log(`\n${live} of ${LIVE_SCENARIOS.size} live scenarios, ${passed} checks`);
  // A complaint that is no failed check, such as a check that is missing, still fails the run.
  const failed = verdicts.reduce((total, { complaints }) => total + complaints.length, 0);
  return { tally: { passed, failed, skipped: sumOf(verdicts, 'skipped') }, counted: 'checks' };
}

/** @param {string} url @param {string} scenario */
async function judge(url, scenario) {
  const { exitCode, output, reports } = await runSuite(url, ['--scenario', scenario, '--force']);
  const verdict = verdictOn(scenario, reports.find((report) => report.scenario === scenario)?.checks ?? []);
  const expected = LIVE_SCENARIOS.get(scenario);
  const complaints = [...verdict.complaints];
  if (reports.length === 0) complaints.push(`the suite wrote no checks:\n${output}`);
  else if (exitCode !== 0 && verdict.failed === 0) complaints.push(`the suite exited with ${exitCode}:\n${output}`);
  else if (expected !== undefined && verdict.failed === 0 && verdict.passed < expected)
    complaints.push(`${verdict.passed} of ${expected} checks succeeded, none failed: some did not run`);
  return { ...verdict, complaints };
}

/** @param {import('./verdict.mjs').Verdict} verdict */
function markOf(verdict) {
  if (passes(verdict)) return 'pass';
  return verdict.complaints.length > 0 ? 'FAIL' : 'skip';
}

/**
 * Runs a job for each item, a few at once; the results come in the order of the items.
 * @template T, R
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<R>} job
 */
async function inTurns(items, job) {
  /** @type {R[]} */
  const results = [];
  const rest = items.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of rest) results[index] = await job(item);
    }),
  );
  return results;
}

/** @param {readonly import('./verdict.mjs').Verdict[]} verdicts @param {'passed' | 'skipped'} key */
function sumOf(verdicts, key) {
  return verdicts.reduce((total, verdict) => total + verdict[key], 0);
}
