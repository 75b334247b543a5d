// `npm run test:faults [ids…]`: every fault at its long scale.
import 'reflect-metadata';
import { startSharedRedis } from '@mocapi/redis-harness';
import { LIMIT_FAULTS } from './limits/index.js';
import { NODE_FAULTS } from './nodes/index.js';
import { REDIS_FAULTS } from './redis/index.js';
import { SIMULATED_FAULTS } from './simulation/index.js';
import { runFaults } from './support/run-faults.js';

const redis = await startSharedRedis();
try {
  const passed = await runFaults(
    [...REDIS_FAULTS, ...NODE_FAULTS, ...LIMIT_FAULTS, ...SIMULATED_FAULTS],
    process.argv.slice(2),
    console.log,
  );
  process.exitCode = passed ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await redis?.stop();
}
