// The one runner behind `npm test`: sees to a Redis, runs Jest and then the steps of test-steps.mjs, and ends with their sum on a line.
// Arguments go to Jest, which then runs alone: `npm test -- packages/core -t 'name'`.
import './register.mjs';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STEPS } from './test-steps.mjs';
import { isGood, sum, summaryLine, tallyOfJest, tallyOfStep } from './test-tally.mjs';

const ROOT = join(import.meta.dirname, '..');
const JEST = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/** Runs a command to its end. `onOutput` sees what it prints, which is shown all the same. */
function run(command, args, onOutput) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['inherit', onOutput ? 'pipe' : 'inherit', 'inherit'] });
    child.stdout?.on('data', (chunk) => {
      process.stdout.write(chunk);
      onOutput(chunk.toString());
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

async function runJest(args) {
  const folder = await mkdtemp(join(tmpdir(), 'mocapi-test-'));
  try {
    const outputFile = join(folder, 'jest.json');
    const exitCode = await run(process.execPath, [...JEST, ...args, '--json', `--outputFile=${outputFile}`]);
    const report = await readFile(outputFile, 'utf8').then(JSON.parse, () => undefined);
    return tallyOfJest(report, exitCode);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runStep({ name, command: [command, ...args] }) {
  console.log(`\n${name}`);
  let output = '';
  const exitCode = await run(command, args, (text) => (output += text)).catch((error) => {
    console.error(`${name}: ${error.message}`);
    return 1;
  });
  return tallyOfStep(output, exitCode);
}

const { ensureRedis } = await import('../libs/redis-harness/src/ensure-redis.ts');
await ensureRedis();

const args = process.argv.slice(2);
const tallies = [await runJest(args)];
if (args.length === 0) for (const step of STEPS) tallies.push(await runStep(step));

const total = sum(tallies);
console.log(summaryLine(total));
process.exitCode = isGood(total) ? 0 : 1;
