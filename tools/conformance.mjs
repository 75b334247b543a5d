// Runs the official conformance suite against the fixture server: `npm run conformance -- tasks` or `-- core`.
import { startServer } from '../test/support/server-process.mjs';
import { conformCore } from '../test/conformance/core.mjs';
import { conformRequirements } from '../test/conformance/requirements.mjs';
import { conformTasks } from '../test/conformance/tasks.mjs';
import { isGood, summaryLine } from './test-tally.mjs';

const MODES = new Map([
  ['tasks', conformTasks],
  ['core', conformCore],
  ['requirements', conformRequirements],
]);

const conform = MODES.get(process.argv[2] ?? '');
if (!conform) {
  console.error(`Say which scenarios: npm run conformance -- ${[...MODES.keys()].join('|')}`);
  process.exit(2);
}

const server = await startServer('apps/conformance/src/main.ts');
try {
  const { tally, counted } = await conform(server.url, process.argv[3]);
  console.log(`Counted here: ${counted}.`);
  console.log(summaryLine(tally));
  process.exitCode = isGood(tally) ? 0 : 1;
} finally {
  await server.stop();
}
