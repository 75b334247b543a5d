import type { Redis } from 'ioredis';
import { allOrNone } from './all-or-none.js';
import { freePort } from './free-port.js';
import { moveSlot } from './move-slot.js';
import { spawnRedisServer, type RedisServer } from './spawn-redis-server.js';
import { until } from './until.js';

const SLOTS = 16_384;

/** A cluster that runs for the tests. */
export interface RunningRedisCluster {
  /** For ioredis: `new Cluster(nodes)`. */
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  /** The server of each node, in the same order. */
  readonly servers: readonly RedisServer[];
  /** The slot of a key, and which of the nodes serves it now. */
  readonly slotOf: (key: string) => Promise<{ readonly slot: number; readonly node: number }>;
  /** Moves a slot and its keys to the node of that index, while the cluster serves. Resolves to how many keys were moved. */
  readonly moveSlot: (slot: number, toNode: number) => Promise<number>;
  readonly stop: () => Promise<void>;
}

interface Node {
  readonly server: RedisServer;
  readonly busPort: number;
  readonly client: Redis;
}

/** Starts a cluster of primaries without replicas, which only a `redis-server` (7 or later) of this machine can give. It takes some 3 seconds. */
export async function startRedisCluster(size = 3): Promise<RunningRedisCluster> {
  const nodes = await allOrNone(Array.from({ length: size }, startNode), ({ server }) => server.stop());
  const stop = async () => void (await Promise.all(nodes.map(({ server }) => server.stop())));
  try {
    await join(nodes);
    await Promise.all(nodes.map((node) => settled(node, size)));
  } catch (error) {
    await stop();
    throw error;
  }
  const all = nodes.map(({ client }) => client);
  const slotOf = async (key: string) => {
    const slot = Number(await all[0]!.call('CLUSTER', 'KEYSLOT', key));
    return { slot, node: await ownerOf(nodes, slot) };
  };
  return {
    nodes: nodes.map(({ server: { port } }) => ({ host: '127.0.0.1', port })),
    servers: nodes.map(({ server }) => server),
    slotOf,
    moveSlot: async (slot, toNode) => moveSlot({ slot, from: all[await ownerOf(nodes, slot)]!, to: all[toNode]!, all }),
    stop,
  };
}

async function startNode(): Promise<Node> {
  let busPort = 0;
  const args = async () => {
    // The default is the port + 10000. Like the port, it is chosen again for each attempt.
    busPort = await freePort();
    return ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--cluster-port', String(busPort)];
  };
  const server = await spawnRedisServer({ args });
  return { server, busPort, client: server.client() };
}

async function join(nodes: readonly Node[]): Promise<void> {
  const firstSlot = (index: number) => Math.floor((SLOTS * index) / nodes.length);
  for (const [index, { client }] of nodes.entries()) {
    await client.call('CLUSTER', 'ADDSLOTSRANGE', firstSlot(index), firstSlot(index + 1) - 1);
    // Epochs that differ spare the nodes a vote.
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
  }
  const [first, ...others] = nodes;
  for (const { server, busPort } of others) await first!.client.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort);
}

async function settled({ client }: Node, size: number): Promise<void> {
  await until('the cluster formed', async () => {
    const info = String(await client.call('CLUSTER', 'INFO'));
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${size}`);
  });
}

/** Which node serves a slot, as the first one knows it. */
async function ownerOf(nodes: readonly Node[], slot: number): Promise<number> {
  const ranges = (await nodes[0]!.client.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
  const port = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1];
  return nodes.findIndex(({ server }) => server.port === port);
}
