// The one runner behind `npm test`: sees to a Redis, runs Jest and then the steps of test-steps.mjs, and ends with their sum on a line.
// Arguments go to Jest, which then runs alone: `npm test -- packages/core -t 'name'`.
import './register.mjs';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STEPS } from './test-steps.mjs';
import { isGood, sum, summaryLine, tallyOfJest, tallyOfStep } from './test-tally.mjs';

const ROOT = join(import.meta.dirname, '..');
const JEST = ['node_modules/jest/bin/jest.js'];

// A run that hangs must fail, not stand until somebody notices. The whole takes some 8 minutes.
const LIMIT_MS = 30 * 60_000;
// Jest has written its report: what still runs then was left behind by a test.
const LINGERS_MS = 20_000;

/** Runs a command to its end. `onOutput`, if given, gets what it prints, which is shown otherwise. `onSpawn` gets the child process. */
function run(command, args, { onOutput, onSpawn } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['inherit', onOutput ? 'pipe' : 'inherit', 'inherit'] });
    const limit = setTimeout(() => kill(child, `did not end within ${LIMIT_MS / 60_000} minutes`), LIMIT_MS);
    child.stdout?.on('data', (chunk) => {
      onOutput(chunk.toString());
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(limit);
      // A process that it left behind can keep its output open. The exit code is known, so don't wait for that one.
      setTimeout(() => child.stdout?.destroy(), 1000).unref();
      if (!onOutput) resolve(code ?? 1);
    });
    child.once('close', (code) => resolve(code ?? 1));
    onSpawn?.(child);
  });
}

function kill(child, reason) {
  console.error(`${child.spawnargs.join(' ')}: ${reason}, so it was killed.`);
  child.kill('SIGKILL');
}

/** Kills Jest if it still runs after its report: a test left something open. The run counts as failed then. */
function killWhenLingering(child, outputFile) {
  let lingers;
  const poll = setInterval(() => {
    if (!existsSync(outputFile)) return;
    clearInterval(poll);
    lingers = setTimeout(() => kill(child, `did not exit within ${LINGERS_MS / 1000} s of its report`), LINGERS_MS);
  }, 1000);
  child.once('exit', () => {
    clearInterval(poll);
    clearTimeout(lingers);
  });
}

async function runJest(args) {
  const folder = await mkdtemp(join(tmpdir(), 'mocapi-test-'));
  try {
    const outputFile = join(folder, 'jest.json');
    const exitCode = await run(process.execPath, [...JEST, ...args, '--json', `--outputFile=${outputFile}`], {
      onSpawn: (child) => killWhenLingering(child, outputFile),
    });
    const report = await readFile(outputFile, 'utf8').then(JSON.parse, () => undefined);
    return tallyOfJest(report, exitCode);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a step beside the others, and shows what it printed once it has ended. */
async function runStep({ name, command: [command, ...args] }) {
  let output = '';
  const exitCode = await run(command, args, { onOutput: (text) => (output += text) }).catch((error) => {
    console.error(`${name}: ${error.message}`);
    return 1;
  });
  console.log(`\n${name}\n${output}`);
  return tallyOfStep(output, exitCode);
}

const { ensureRedis } = await import('../libs/redis-harness/src/ensure-redis.ts');
await ensureRedis();

const args = process.argv.slice(2);
const tallies = [await runJest(args)];
// No step uses more than one processor for long, so they run at once.
if (args.length === 0) tallies.push(...(await Promise.all(STEPS.map(runStep))));

const total = sum(tallies);
console.log(summaryLine(total));
process.exitCode = isGood(total) ? 0 : 1;
