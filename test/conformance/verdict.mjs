// What the checks of a scenario amount to.

/** @typedef {import('./run-suite.mjs').Check} Check */

/**
 * @typedef {object} Verdict
 * @property {string} scenario
 * @property {number} passed
 * @property {number} own passed checks that are the scenario's own: any server that answers at all passes the others
 * @property {number} failed
 * @property {number} warned
 * @property {number} skipped
 * @property {string[]} complaints why it does not count as passed, beginning with the failed checks
 */

/** Every scenario reports this one about all messages it saw, even if there was only an error. */
const SHARED_CHECK = 'wire-schema-valid';

/**
 * @param {string} scenario
 * @param {readonly Check[]} checks
 * @returns {Verdict}
 */
export function verdictOn(scenario, checks) {
  const count = (/** @type {Check['status']} */ status) => checks.filter((check) => check.status === status).length;
  const failures = checks.filter((check) => check.status === 'FAILURE').map((check) => `${check.id}: ${check.errorMessage ?? 'failed'}`);
  const own = checks.filter((check) => check.status === 'SUCCESS' && check.id !== SHARED_CHECK).length;
  const skipped = count('SKIPPED');
  const vacuous = own === 0 && failures.length === 0 && skipped === 0;
  return {
    scenario,
    passed: count('SUCCESS'),
    own,
    failed: failures.length,
    warned: count('WARNING'),
    skipped,
    complaints: vacuous ? ['no check of its own succeeded'] : failures,
  };
}

/** A scenario passes when nothing failed and something of its own succeeded. @param {Verdict} verdict */
export function passes(verdict) {
  return verdict.complaints.length === 0 && verdict.own > 0;
}
