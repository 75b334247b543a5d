// The core scenarios. Not all of them can pass yet; those that do are listed, and may not be lost again.
import { readFile } from 'node:fs/promises';
import { runSuite } from './run-suite.mjs';
import { table } from './table.mjs';
import { passes, verdictOn } from './verdict.mjs';

/** @typedef {import('../../tools/test-tally.mjs').Tally} Tally */

/** Scenarios of the suite at this revision. */
const SCENARIOS = 40;
const LIST = new URL('./core-passing.json', import.meta.url);

/**
 * Runs the suite against a server, prints what came of it and counts scenarios: passed, lost or wrongly listed, not yet there.
 * @param {string} url
 * @returns {Promise<{ tally: Tally, counted: string }>}
 */
export async function conformCore(url) {
  const { output, reports } = await runSuite(url, ['--suite', 'all']);
  if (reports.length !== SCENARIOS) throw new Error(`The suite ran ${reports.length} scenarios instead of ${SCENARIOS}:\n${output}`);

  /** @type {string[]} */
  const listed = JSON.parse(await readFile(LIST, 'utf8'));
  const verdicts = reports.map(({ scenario, checks }) => verdictOn(scenario, checks));
  const passing = new Set(verdicts.filter(passes).map(({ scenario }) => scenario));
  const mark = (/** @type {string} */ scenario) => (passing.has(scenario) ? 'pass' : listed.includes(scenario) ? 'LOST' : 'not yet');
  console.log(table(verdicts.map((verdict) => ({ ...verdict, mark: mark(verdict.scenario) }))));

  const checks = verdicts.reduce((total, { passed }) => total + passed, 0);
  console.log(`\n${passing.size} of ${SCENARIOS} scenarios, ${checks} checks`);
  const faults = faultsOf(listed, { passing, known: new Set(verdicts.map(({ scenario }) => scenario)) });
  for (const fault of faults) console.log(`core-passing.json: ${fault}`);
  const unlisted = [...passing].filter((scenario) => !listed.includes(scenario));
  if (unlisted.length > 0) console.log(`Pass and may be added to core-passing.json: ${unlisted.join(', ')}`);
  return {
    tally: { passed: passing.size, failed: faults.length, skipped: SCENARIOS - passing.size - faults.length },
    counted: 'scenarios',
  };
}

/**
 * What is wrong with the list: scenarios that were lost, and entries that name none or stand twice.
 * @param {readonly string[]} listed
 * @param {{ passing: ReadonlySet<string>, known: ReadonlySet<string> }} run
 */
function faultsOf(listed, { passing, known }) {
  return listed.flatMap((scenario, index) => {
    if (!known.has(scenario)) return [`${scenario} is no scenario of the suite`];
    if (listed.indexOf(scenario) !== index) return [`${scenario} stands twice`];
    return passing.has(scenario) ? [] : [`${scenario} passed before and does not now`];
  });
}
