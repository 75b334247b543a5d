// Proves that the regression tests test something: runs `test/regression` of this checkout on the code of an older commit, and on the code of today.
// Prints each row (the id before the colon of a `describe` title) with what failed there. A row that was green there proves nothing.
// Usage: node tools/red-before.mjs [commit] [folder of test/regression, such as guards]
import './register.mjs';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowsOf, tableOf } from './red-before-table.mjs';

const ROOT = join(import.meta.dirname, '..');
const [commit = 'bfa3c0f', folder = ''] = process.argv.slice(2);
const TESTS = join('test', 'regression', folder);

/** Checks the commit out beside the temporary files, with the packages that are installed here. */
function checkOut() {
  const path = join(mkdtempSync(join(tmpdir(), 'mocapi-before-')), 'checkout');
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', path, commit], { cwd: ROOT, stdio: 'inherit' });
  for (const place of ['.', ...workspaces()]) {
    const modules = join(ROOT, place, 'node_modules');
    // Copied, not linked: the links to the workspace's own packages must lead into the older checkout.
    if (existsSync(modules)) cpSync(modules, join(path, place, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  }
  // The tests, and what runs them: both checkouts are judged by the same means.
  for (const place of [
    'test/regression',
    'test/support/task-string.ts',
    'tools/jest-runner',
    'tools/ts-hooks.mjs',
    'tools/register.mjs',
    'jest.config.mjs',
  ])
    cpSync(join(ROOT, place), join(path, place), { recursive: true });
  giveEntryPoints(path);
  return path;
}

/** Older commits have one entry point for all names. */
function giveEntryPoints(path) {
  const file = join(path, 'packages/core/package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  for (const entry of ['./extension', './internal']) manifest.exports[entry] ??= manifest.exports['.'];
  writeFileSync(file, JSON.stringify(manifest));
}

function workspaces() {
  const list = execFileSync('git', ['ls-tree', '-d', '--name-only', commit, 'packages/', 'libs/', 'apps/'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return list.split('\n').filter(Boolean);
}

function runJest(cwd) {
  const outputFile = join(mkdtempSync(join(tmpdir(), 'mocapi-red-')), 'jest.json');
  spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', TESTS, '--json', `--outputFile=${outputFile}`], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (!existsSync(outputFile)) throw new Error(`Jest wrote no report in ${cwd}`);
  return rowsOf(JSON.parse(readFileSync(outputFile, 'utf8')), cwd);
}

const { ensureRedis } = await import('../libs/redis-harness/src/ensure-redis.ts');
await ensureRedis();

const before = checkOut();
try {
  const { text, proven } = tableOf(runJest(before), runJest(ROOT));
  console.log(text);
  process.exitCode = proven ? 0 : 1;
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', before], { cwd: ROOT });
  rmSync(join(before, '..'), { recursive: true, force: true });
}
