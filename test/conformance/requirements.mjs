// What an older revision requires of a server, asked of the stateless leg that answers its clients. What is out of reach there is listed
// with its reason; everything else must pass, and what is listed must not.
import { readFile } from 'node:fs/promises';
import { runSuite } from './run-suite.mjs';
import { table } from './table.mjs';
import { verdictOn } from './verdict.mjs';

/** @typedef {import('../../tools/test-tally.mjs').Tally} Tally */

const REVISIONS = new Map([['2025-11-25', { list: new URL('./out-of-reach-2025-11-25.json', import.meta.url), scenarios: 33 }]]);

/**
 * Runs the requirements of a revision against a server, prints what came of it and counts scenarios.
 * @param {string} url
 * @param {string} [revision]
 * @returns {Promise<{ tally: Tally, counted: string }>}
 */
export async function conformRequirements(url, revision = '2025-11-25') {
  const known = REVISIONS.get(revision);
  if (!known) throw new Error(`Requirements are known of: ${[...REVISIONS.keys()].join(', ')}`);
  const { output, reports } = await runSuite(url, ['--requirements', revision]);
  if (reports.length !== known.scenarios)
    throw new Error(`The suite ran ${reports.length} scenarios instead of ${known.scenarios}:\n${output}`);

  /** @type {Record<string, string>} */
  const outOfReach = JSON.parse(await readFile(known.list, 'utf8'));
  const rows = reports.map(({ scenario, checks }) => {
    const verdict = verdictOn(scenario, checks);
    return {
      ...verdict,
      mark: markOf(verdict, outOfReach[scenario]),
      complaints: outOfReach[scenario] ? [outOfReach[scenario]] : verdict.complaints,
    };
  });
  console.log(table(rows));
  const count = (/** @type {string} */ mark) => rows.filter((row) => row.mark === mark).length;
  const checks = rows.reduce((total, { passed }) => total + passed, 0);
  console.log(
    `\n${count('pass')} of ${known.scenarios} scenarios pass, ${count('beyond')} are out of reach, ${count('none')} have no check here; ${checks} checks`,
  );
  const passed = count('pass');
  const skipped = count('beyond') + count('none');
  return { tally: { passed, failed: rows.length - passed - skipped, skipped }, counted: 'scenarios' };
}

/**
 * @param {import('./verdict.mjs').Verdict} verdict
 * @param {string | undefined} reason why it is out of reach
 */
function markOf({ own, failed }, reason) {
  if (reason !== undefined) return failed > 0 ? 'beyond' : 'LISTED';
  if (failed > 0) return 'FAIL';
  if (own > 0) return 'pass';
  return 'none';
}
