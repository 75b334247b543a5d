// Compiles the packages from scratch, so that no stale file is measured (types are checked by `npm run typecheck`), then runs the benchmark in production form: `npm run bench -- --help`
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const COMPILED = ['packages/core', 'packages/tasks', 'packages/tasks-redis', 'libs/redis-harness', 'bench'];
const args = process.argv.slice(2);

if (!args.includes('--no-build') && !args.includes('--help')) {
  for (const folder of COMPILED) rmSync(join(ROOT, folder, 'dist'), { recursive: true, force: true });
  runNode([join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', 'bench', '--noCheck']);
}
runNode([join(ROOT, 'bench/dist/main.js'), ...args.filter((arg) => arg !== '--no-build')]);

function runNode(command) {
  const { status } = spawnSync(process.execPath, command, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) process.exit(status ?? 1);
}
