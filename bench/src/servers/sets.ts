import { Redis } from 'ioredis';
import type { LoadLength } from '../load/http-load.js';
import { ready } from './child.js';
import { inFlight } from './in-flight.js';

const redis = new Redis(process.env['BENCH_REDIS']!);
/** About as long as the record of a small task. */
const record = JSON.stringify({ text: 'x'.repeat(640) });
let count = 0;

// D: the floor of Redis, two writes of a record for each task.
const once = async () => {
  const key = `sets:${(count += 1)}`;
  await redis.set(key, record, 'EX', 60);
  await redis.set(key, record, 'EX', 60);
};
ready(undefined, { run: (length: LoadLength) => inFlight({ once, drained: () => Promise.resolve() }, length) });
