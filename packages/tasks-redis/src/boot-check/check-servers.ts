import type { LoggerService } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import { DeadlineQueue } from '../connection/deadline-queue.js';
import { addressOfServer } from '../connection/describe-address.js';
import type { RedisConnection } from '../connection/redis-connection.js';
import { judgeServer, type ServerFindings } from './judge-server.js';
import { parseConfig, parseInfo, type ServerFacts } from './read-info.js';

/** Parameters that are read besides INFO. */
const PARAMETERS = ['save', 'appendfsync', 'maxmemory-policy', 'min-replicas-to-write'];

/** Settings of the check, besides the connection. */
export interface BootCheckSettings {
  readonly onUnsafe: 'refuse' | 'warn';
  /** How long a server may take for each answer, in milliseconds. Default 2000. */
  readonly commandTimeoutMs?: number;
}

/**
 * Checks every server that is to store tasks; logs one line of findings, and a warning for everything that can lose
 * tasks.
 * @returns name and version of the servers
 * @throws RedisTimeoutError if a server does not answer in time; Error listing why tasks can't be stored there, each
 * with its fix; with `onUnsafe: 'refuse'` also that they may be evicted
 */
export async function checkServers(
  connection: Pick<RedisConnection, 'commands' | 'address'>,
  { onUnsafe, commandTimeoutMs = 2000 }: BootCheckSettings,
  logger: Pick<LoggerService, 'log' | 'warn'>,
): Promise<string> {
  const { commands, address } = connection;
  const servers = commands.isCluster ? (commands as Cluster).nodes('master') : [commands as Redis];
  const deadlines = new DeadlineQueue(commandTimeoutMs);
  const facts = await Promise.all(servers.map((server) => factsOf(server, deadlines))).finally(() => deadlines.close());
  const judged = facts.map(judgeServer);
  const all = (what: (one: ServerFindings) => readonly string[]) => judged.flatMap(what);
  const faults = [...all(({ faults: found }) => found), ...(onUnsafe === 'refuse' ? all(({ unsafe }) => unsafe) : [])];
  if (faults.length > 0) throw new Error(`Tasks can't be stored in this Redis:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  const kinds = distinct(judged.map(({ server }) => server)).join(' and ');
  const what = commands.isCluster ? `cluster of ${servers.length} primaries, ${address}` : address;
  logger.log(`${kinds}, ${what}: ${distinct(all(({ findings }) => findings)).join(', ')}`);
  for (const warning of [...all(({ unsafe }) => unsafe), ...all(({ warnings }) => warnings)]) logger.warn(`Redis ${warning}`);
  return kinds;
}

async function factsOf(server: Redis, deadlines: DeadlineQueue): Promise<ServerFacts> {
  const info = await unlessDenied(async () => parseInfo(await deadlines.within(server.info())));
  // One by one: Redis 6.2 takes no more at once.
  const ask = async (name: string) => (await deadlines.within(server.call('CONFIG', 'GET', name))) as string[];
  const config = await unlessDenied(async () => parseConfig((await Promise.all(PARAMETERS.map(ask))).flat()));
  return { address: addressOfServer(server.options), info: info ?? new Map(), config };
}

/** Managed servers deny a command by right, by another name, or by not knowing it. */
async function unlessDenied<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && /^(NOPERM|ERR )/.test(error.message)) return undefined;
    throw error;
  }
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
