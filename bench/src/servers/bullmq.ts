import { Queue, Worker } from 'bullmq';
import { ready } from './child.js';
import { ECHO_TEXT } from './echo-text.js';
import { inFlight } from './in-flight.js';
import type { LoadLength } from '../load/http-load.js';

const url = new URL(process.env['BENCH_REDIS']!);
const connection = { host: url.hostname, port: Number(url.port), maxRetriesPerRequest: null };
const queue = new Queue<{ text: string }>('bench', { connection });
const worker = new Worker<{ text: string }>('bench', ({ data }) => Promise.resolve(data.text), { connection, concurrency: 32 });
await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);

let open = 0;
let whenNone: (() => void) | undefined;
worker.on('completed', () => {
  open -= 1;
  if (open === 0) whenNone?.();
});

// B: a job from `add` until its worker has completed it; nothing is kept of it.
const once = async () => {
  open += 1;
  await queue.add('echo', { text: ECHO_TEXT }, { removeOnComplete: true });
};
const drained = async () => {
  if (open > 0) await new Promise<void>((resolve) => void (whenNone = resolve));
};
ready(undefined, { run: (length: LoadLength) => inFlight({ once, drained }, length) });
