// Counts of tests: how they are read from a runner's output, summed and said.

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

const SUMMARY = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;

/** @type {Tally} */
const ONE_FAILED = { passed: 0, failed: 1, skipped: 0 };

/**
 * The tally of a Jest run, from what `--json` writes. A suite that failed without a failed test (it did not load, or its clean-up threw)
 * counts as one failed test.
 * @param {{ numPassedTests: number, numPendingTests: number, numTodoTests: number, testResults: { status: string, assertionResults: { status: string }[] }[] } | undefined} report
 * @param {number} exitCode
 * @returns {Tally}
 */
export function tallyOfJest(report, exitCode) {
  if (!report) return ONE_FAILED;
  const failures = report.testResults.map((suite) => {
    const tests = suite.assertionResults.filter((test) => test.status === 'failed').length;
    return tests === 0 && suite.status === 'failed' ? 1 : tests;
  });
  const failed = failures.reduce((total, count) => total + count, 0);
  const skipped = report.numPendingTests + report.numTodoTests;
  return atLeastOneFailedIf(exitCode !== 0, { passed: report.numPassedTests, failed, skipped });
}

/**
 * The tally of a step, from the last line of what it printed.
 * @param {string} output
 * @param {number} exitCode
 * @returns {Tally}
 */
export function tallyOfStep(output, exitCode) {
  const match = SUMMARY.exec(output.trimEnd().split('\n').at(-1)?.trim() ?? '');
  if (!match) return ONE_FAILED;
  const [passed = 0, failed = 0, skipped = 0] = match.slice(1).map((digits) => Number(digits ?? 0));
  return atLeastOneFailedIf(exitCode !== 0, { passed, failed, skipped });
}

/**
 * @param {readonly Tally[]} tallies
 * @returns {Tally}
 */
export function sum(tallies) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const tally of tallies) {
    total.passed += tally.passed;
    total.failed += tally.failed;
    total.skipped += tally.skipped;
  }
  return total;
}

/**
 * A run is good when something was tested and nothing failed.
 * @param {Tally} tally
 */
export function isGood(tally) {
  return tally.failed === 0 && tally.passed > 0;
}

/**
 * The line that a run ends with.
 * @param {Tally} tally
 */
export function summaryLine(tally) {
  return `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`;
}

/**
 * Whoever exits with an error has failed, whatever it counted.
 * @param {boolean} exitedWithError
 * @param {Tally} tally
 * @returns {Tally}
 */
function atLeastOneFailedIf(exitedWithError, tally) {
  return exitedWithError && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}
