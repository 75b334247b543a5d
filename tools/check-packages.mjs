// `npm run check:packages`: builds the packages, and has publint and attw look at what npm would publish.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const PACKAGES = ['core', 'tasks', 'tasks-redis', 'testing'];

/** Runs a program of node_modules to its end. Returns whether it succeeded. */
function succeeds(program, args) {
  const { status } = spawnSync(join(ROOT, 'node_modules/.bin', program), args, { cwd: ROOT, stdio: 'inherit' });
  return status === 0;
}

function isClean(name) {
  const folder = `packages/${name}`;
  // The packages are ES modules. Node loads them from CommonJS, too, but types of older resolutions don't apply.
  const checks = [succeeds('publint', [folder, '--strict']), succeeds('attw', ['--pack', folder, '--profile', 'esm-only', '--quiet'])];
  const clean = checks.every(Boolean);
  console.log(`@mocapi/${name}: ${clean ? 'clean' : 'has faults, see above'}`);
  return clean;
}

const built = succeeds('tsc', ['-b', ...PACKAGES.map((name) => `packages/${name}`)]);
// Each is looked at, also when one before it has faults.
const results = built ? PACKAGES.map(isClean) : [];
process.exitCode = built && results.every(Boolean) ? 0 : 1;
