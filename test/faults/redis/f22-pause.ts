import type { RedisServer } from '@mocapi/redis-harness';
import { type Cleanup, withCleanup } from '../support/cleanup.js';
import { type Fault, type FaultReport, type FaultScale } from '../support/fault.js';
import { isSound, judgeHistory, wordsOf } from './support/judge-history.js';
import { marked } from './support/marks.js';
import { openTwoStores } from './support/open-store.js';
import { startServer } from './support/start-server.js';
import { type StoreCall, StoreHistory } from './support/store-history.js';

const PAUSE_MS = 2500;
const COMMAND_TIMEOUT_MS = 300;
/** What a loaded machine may take on top of a bound. */
const SLACK_MS = 1000;
const TASKS = { short: 20, long: 200 } as const;

/** Makes Redis answer nothing for a while, and resolves when it answers again. */
type Pause = (server: RedisServer) => Promise<void>;

const byCommand: Pause = async (server) => {
  await server.client().call('CLIENT', 'PAUSE', PAUSE_MS, 'ALL');
};

const bySignal: Pause = async (server) => {
  await server.pause();
  setTimeout(() => server.resume(), PAUSE_MS);
};

/** Redis stands still for longer than a command may take, and for less than a write is tried again. */
export const pauses: readonly Fault[] = [
  { id: 'F22', how: 'CLIENT PAUSE', pause: byCommand },
  { id: 'F22-sigstop', how: 'SIGSTOP', pause: bySignal },
].map(({ id, how, pause }) => ({
  id,
  title: `no call waits for longer than its bound while Redis stands still by ${how}, and each write is made once`,
  run: (scale: FaultScale) => withCleanup((cleanup) => run({ scale, how, pause }, cleanup)),
}));

async function run({ scale, how, pause }: { scale: FaultScale; how: string; pause: Pause }, cleanup: Cleanup): Promise<FaultReport> {
  const server = await startServer(cleanup);
  // One node is patient enough to outlast the pause, the other gives up before its end.
  const shared = { prefix: `fault:${how}:`, commandTimeoutMs: COMMAND_TIMEOUT_MS };
  const [patient] = await openTwoStores(cleanup, server.url, { ...shared, retryForMs: 5000 });
  const [hasty] = await openTwoStores(cleanup, server.url, { ...shared, retryForMs: 600 });
  const history = new StoreHistory();
  const create = async () => (await Promise.all(Array.from({ length: TASKS[scale] }, () => history.create(patient)))).map(({ key }) => key);
  const [keys, others] = [await create(), await create()];
  const witness = server.client();
  await witness.ping();
  await pause(server);
  const began = performance.now();
  const answered = witness.ping().then(() => performance.now() - began);
  const write = (store: typeof patient, to: typeof keys, mark: string) =>
    Promise.all(to.map((key) => history.write(store, { key, mark }, (record) => marked(record, mark))));
  const [reads, firm, given] = await Promise.all([
    Promise.all(keys.map((key) => history.read(hasty, key))),
    write(patient, keys, 'patient'),
    write(hasty, others, 'hasty'),
  ]);
  const stoodStillMs = Math.round(await answered);
  const verdict = await judgeHistory(history, patient);
  const late = (await Promise.all(others.map((key) => patient.get(key)))).filter((record) => record!.version > 1).length;
  const slowest = (calls: readonly StoreCall[]) => Math.round(Math.max(...calls.map(({ tookMs }) => tookMs)));
  const told = (calls: readonly StoreCall[], what: StoreCall['told']) => calls.filter((call) => call.told === what).length;
  return {
    injected: `${how} of ${PAUSE_MS} ms, commandTimeout ${COMMAND_TIMEOUT_MS} ms, ${keys.length} reads and ${2 * keys.length} writes`,
    fired: stoodStillMs >= PAUSE_MS * 0.9 ? `another client's PING took ${stoodStillMs} ms` : '',
    expected: `reads end within ${COMMAND_TIMEOUT_MS}+${SLACK_MS} ms, writes tried for 600 ms within 600+${COMMAND_TIMEOUT_MS + SLACK_MS}, those tried for 5 s all won; each made once at most`,
    seen: `reads ${told(reads, 'unknown')} refused within ${slowest(reads)} ms; hasty writes ${told(given, 'unknown')} given up within ${slowest(given)} ms, of which ${late} were made; patient ${told(firm, 'won')} won within ${slowest(firm)} ms; ${wordsOf(verdict)}`,
    held:
      isSound(verdict) &&
      slowest(reads) <= COMMAND_TIMEOUT_MS + SLACK_MS &&
      slowest(given) <= 600 + COMMAND_TIMEOUT_MS + SLACK_MS &&
      told(reads, 'unknown') === keys.length &&
      told(given, 'unknown') === keys.length &&
      told(firm, 'won') === keys.length,
  };
}
