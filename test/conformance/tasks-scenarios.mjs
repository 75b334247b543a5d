/**
 * The tasks scenarios of the pinned suite that test anything, each with the number of checks it reports for a server that keeps them all,
 * `wire-schema-valid` included. The number is there so that a check that silently no longer runs is noticed.
 * @type {ReadonlyMap<string, number>}
 */
export const LIVE_SCENARIOS = new Map([
  ['tasks-lifecycle', 9],
  ['tasks-capability-negotiation', 5],
  ['tasks-wire-fields', 4],
  ['tasks-request-state-removal', 3],
  ['tasks-mrtr-input', 4],
  ['tasks-request-headers', 5],
  ['tasks-dispatch-and-envelope', 9],
  ['tasks-required-task-error', 3],
  ['tasks-mrtr-composition', 2],
]);

/** Reports one SKIPPED check whatever the server does. */
export const SKIPPED_SCENARIO = 'tasks-status-notifications';
