/**
 * Verdicts as a table for people, each complaint on a line below its scenario.
 * @param {readonly (import('./verdict.mjs').Verdict & { mark: string })[]} rows
 */
export function table(rows) {
  const width = Math.max(...rows.map(({ scenario }) => scenario.length), 'scenario'.length);
  const line = (/** @type {readonly (string | number)[]} */ [name, ...cells]) =>
    `${String(name).padEnd(width)}${cells.map((cell) => String(cell).padStart(9)).join('')}`;
  return [
    line(['scenario', 'passed', 'failed', 'warnings', 'skipped', '']),
    ...rows.flatMap(({ scenario, passed, failed, warned, skipped, mark, complaints }) => [
      line([scenario, passed, failed, warned, skipped, mark]),
      ...complaints.map((complaint) => `    ${complaint}`),
    ]),
  ].join('\n');
}
