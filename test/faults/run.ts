// `npm run test:faults [ids…]`: every fault at its long scale, and without ids the long tests, too.
import 'reflect-metadata';
import { spawnSync } from 'node:child_process';
import { startSharedRedis } from '@mocapi/redis-harness';
import { LIMIT_FAULTS } from './limits/index.js';
import { NODE_FAULTS } from './nodes/index.js';
import { REDIS_FAULTS } from './redis/index.js';
import { SIMULATED_FAULTS } from './simulation/index.js';
import { runFaults } from './support/run-faults.js';

/** The tests that take too long for `npm test`. */
function longTestsPass(): boolean {
  return spawnSync('npm', ['run', '--silent', 'test:long'], { stdio: 'inherit' }).status === 0;
}

const redis = await startSharedRedis();
try {
  const passed = await runFaults(
    [...REDIS_FAULTS, ...NODE_FAULTS, ...LIMIT_FAULTS, ...SIMULATED_FAULTS],
    process.argv.slice(2),
    console.log,
  );
  process.exitCode = passed && (process.argv.length > 2 || longTestsPass()) ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await redis?.stop();
}
