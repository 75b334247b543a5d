/**
 * Steps that `npm test` runs after Jest. A step is any command whose output ends with a line `N passed, N failed` or `N
 * passed, N failed, N skipped`; without that line it counts as failed.
 * @type {readonly { name: string, command: readonly [string, ...string[]] }[]}
 */
export const STEPS = [
  { name: 'Official conformance suite: tasks', command: ['node', 'tools/conformance.mjs', 'tasks'] },
  { name: 'Differential tests against the official server', command: ['npm', 'run', '--silent', 'differential'] },
  { name: 'Parity with routes of Nest', command: ['npm', 'run', '--silent', 'parity', '--', '--short'] },
];
