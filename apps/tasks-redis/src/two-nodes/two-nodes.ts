import { randomBytes, randomUUID } from 'node:crypto';
import { callOf, cannotListen, CannotStartError, curlOf, portFrom, thingsToTry } from '@mocapi/demo';
import { NoRedisError, startRedis, waysToHaveOne, type RunningRedis } from '@mocapi/redis-harness';
import { nodeSettings } from '../node-settings.js';
import { withoutPassword } from '../redis-address.js';
import type { Closing } from './closing.js';
import { startNode, type NodeProcess } from './node-process.js';
import { ProxyClient } from './proxy-client.js';
import { tellRelay } from './relay-story.js';
import { startRoundRobinProxy } from './round-robin-proxy.js';
import { seconds, timeline, type Tell } from './timeline.js';

/** How the demo is run. */
export interface TwoNodesOptions {
  /** Whether it stays up afterwards, with both nodes, for people to try. */
  readonly keep: boolean;
  /** LEASE_MS (2000 by default) and REDIS_URL are honoured, and PORT is the proxy's. */
  readonly env: NodeJS.ProcessEnv;
}

const LEASE_MS = 2000;
/** Lines of a node that belong to the story: what it begins to run, and what it warns of; and what stands before them. */
const WORTH_TELLING = /^(?:node-[ab] (?=begins|takes over)|\[Nest\].*?(?=WARN|ERROR|FATAL))/;

/**
 * Starts Redis, two nodes and a proxy before them, and shows what happens to a task whose node is killed. `closing`
 * ends them all.
 * @throws CannotStartError if there is no Redis or a node does not start
 * @throws Error if the task does not survive
 */
export async function twoNodes({ keep, env }: TwoNodesOptions, closing: Closing): Promise<void> {
  const port = portFrom(env['PORT'] || '0');
  const leaseMs = nodeSettings(env).leaseMs ?? LEASE_MS;
  const tell = timeline((line) => closing.begun || console.log(line));
  const redis = await redisFor(closing);
  tell('redis', `answers at ${withoutPassword(redis.url)} (${redis.way})`);
  const shared = sharedEnv({ redis, leaseMs });
  const start = (name: string, nodePort = '0'): Promise<NodeProcess> =>
    startNode({ name, env: { ...shared, PORT: nodePort }, onLine: (line) => tellLine(tell, { name, line }) }, closing);
  const nodes = await Promise.all([start('node-a'), start('node-b')]);
  for (const { name, url, pid } of nodes) tell(name, `listens on ${url.href}, pid ${pid}, lease ${seconds(leaseMs)} s`);
  const url = await proxyBefore(nodes, { port, closing });
  tell('proxy', `passes each request on ${url} to the next of them`);
  const { killed, relay } = await tellRelay({ client: new ProxyClient(url), nodes, leaseMs, tell });
  tell('demo', `every lap recorded once: ${relay.ranBy.join(' ')}`);
  if (!keep) return;
  await start(killed.name, killed.url.port);
  tell('demo', `${killed.name} runs again; until Ctrl-C the proxy is`);
  console.log(`listening on ${url}\n\n${linesToTry(url)}`);
  await new Promise(() => undefined);
}

async function redisFor(closing: Closing): Promise<RunningRedis> {
  try {
    const redis = await startRedis();
    closing.add(redis.stop);
    return redis;
  } catch (error) {
    throw error instanceof NoRedisError ? new CannotStartError(`This demo needs a Redis. ${waysToHaveOne(error.closed)}`) : error;
  }
}

async function proxyBefore(
  nodes: readonly NodeProcess[],
  { port, closing }: { readonly port: number; readonly closing: Closing },
): Promise<string> {
  const upstreams = nodes.map(({ name, url }) => ({ name, host: url.hostname, port: Number(url.port) }));
  try {
    const proxy = await startRoundRobinProxy(upstreams, port);
    closing.add(() => proxy.close());
    return `${proxy.origin}/mcp`;
  } catch (error) {
    throw cannotListen(error, { port, host: '127.0.0.1' });
  }
}

/** Environment that both nodes share, and no other run of the demo on the same Redis. */
function sharedEnv({ redis, leaseMs }: { readonly redis: RunningRedis; readonly leaseMs: number }): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    NO_COLOR: '1',
    REDIS_URL: redis.url,
    KEY_PREFIX: `mocapi:two-nodes:${randomUUID()}:`,
    LEASE_MS: String(leaseMs),
    MCP_STATE_KEY: randomBytes(32).toString('base64'),
  };
}

function tellLine(tell: Tell, { name, line }: { readonly name: string; readonly line: string }): void {
  if (WORTH_TELLING.test(line)) tell(name, line.replace(WORTH_TELLING, ''));
}

function linesToTry(url: string): string {
  return ['Ask which node answers, more than once:', curlOf(url, callOf('where_am_i', {})), thingsToTry(url)].join('\n');
}
