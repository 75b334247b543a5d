import { Redis } from 'ioredis';
import { freePort } from './free-port.js';
import { NoRedisError } from './no-redis.error.js';
import { redisServerBinary, redisServerWay } from './redis-server-way.js';
import { spawnRedisServer, type RedisServer } from './spawn-redis-server.js';

const SLOTS = 16_384;
const DEADLINE_MS = 20_000;

/** A cluster that runs for the tests. */
export interface RunningRedisCluster {
  /** For ioredis: `new Cluster(nodes)`. */
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly stop: () => Promise<void>;
}

interface Node extends RedisServer {
  readonly busPort: number;
  readonly client: Redis;
}

/** Starts a cluster of primaries without replicas, which only a `redis-server` (7 or later) of this machine can give. It takes some 3 seconds. */
export async function startRedisCluster(size = 3): Promise<RunningRedisCluster> {
  const way = redisServerWay(process.env);
  const reason = await way.closedBecause();
  if (reason !== undefined) throw new NoRedisError([{ way, reason }]);
  const nodes = await Promise.all(Array.from({ length: size }, startNode));
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())));
  try {
    await join(nodes);
    await Promise.all(nodes.map((node) => settled(node, size)));
  } catch (error) {
    await stop();
    throw error;
  } finally {
    for (const { client } of nodes) client.disconnect();
  }
  return { nodes: nodes.map(({ port }) => ({ host: '127.0.0.1', port })), stop };
}

async function startNode(): Promise<Node> {
  // By default the bus port is the port + 10000, which may be past 65535.
  const busPort = await freePort();
  const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--cluster-port', String(busPort)];
  const server = await spawnRedisServer({ binary: redisServerBinary(), args });
  return { ...server, busPort, client: new Redis(server.url) };
}

async function join(nodes: readonly Node[]): Promise<void> {
  const firstSlot = (index: number) => Math.floor((SLOTS * index) / nodes.length);
  for (const [index, { client }] of nodes.entries()) {
    await client.call('CLUSTER', 'ADDSLOTSRANGE', firstSlot(index), firstSlot(index + 1) - 1);
    // Epochs that differ spare the nodes a vote.
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
  }
  const [first, ...others] = nodes;
  for (const { port, busPort } of others) await first!.client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
}

async function settled({ client }: Node, size: number): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const info = String(await client.call('CLUSTER', 'INFO'));
    if (info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${size}`)) return;
    if (Date.now() > deadline) throw new Error(`The cluster did not form:\n${info}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}
