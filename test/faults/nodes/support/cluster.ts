import { randomBytes } from 'node:crypto';
import { redisUrl } from '@mocapi/redis-harness';
import { Redis } from 'ioredis';
import type { NodeSettings } from '../fixture/node-settings.js';
import { giveBack, takeNode } from './node-pool.js';
import type { NodeProcess } from './node-process.js';
import { StoredTasks } from './stored-tasks.js';
import { WriteHistory } from './write-history.js';

/** Of a node's output, in the message of a failure. */
const OUTPUT_CHARACTERS = 1500;

/** What all nodes of a cluster have in common; a node may differ. */
export type ClusterSettings = Omit<NodeSettings, 'name' | 'redisUrl' | 'root'>;

/** Several nodes on one Redis, under keys of their own, and what was written there from the first moment on. */
export class Cluster {
  private readonly all: NodeProcess[] = [];
  private readonly url = redisUrl();
  /** What every key begins with. */
  readonly root = `fault:${randomBytes(6).toString('hex')}:`;
  readonly redis = new Redis(this.url);
  readonly tasks = new StoredTasks(this.redis, this.root);
  readonly history = new WriteHistory(this.url, this.root);

  constructor(private readonly settings: ClusterSettings) {}

  /** Starts a node more; it reaches Redis by another address if one is given. */
  async start(name: string, settings: Partial<ClusterSettings> & { readonly redisUrl?: string } = {}): Promise<NodeProcess> {
    const node = takeNode();
    this.all.push(node);
    return node.boot({ redisUrl: this.url, ...this.settings, ...settings, name, root: this.root });
  }

  /** What failed, and what the nodes had printed until then. */
  withOutput(error: unknown): Error {
    const printed = this.all.map((node) => `--- ${node.name}:\n${node.output().slice(-OUTPUT_CHARACTERS)}`);
    return new Error([String(error), ...printed].join('\n'), { cause: error });
  }

  /** Has every node end or rest, and removes what they left in Redis. */
  async close(): Promise<void> {
    await Promise.all(this.all.map(giveBack));
    this.history.close();
    await this.tasks.clear();
    this.redis.disconnect();
  }
}

/** Runs `use` with nodes of the given names, and cleans up however it ends; a failure carries what the nodes had printed. */
export async function withCluster<T>(
  settings: ClusterSettings & { readonly nodes: readonly string[] },
  use: (cluster: Cluster, nodes: readonly NodeProcess[]) => Promise<T>,
): Promise<T> {
  const { nodes: names, ...common } = settings;
  const cluster = new Cluster(common);
  try {
    await cluster.history.open();
    const nodes = await Promise.all(names.map((name) => cluster.start(name)));
    return await use(cluster, nodes);
  } catch (error) {
    throw cluster.withOutput(error);
  } finally {
    await cluster.close();
  }
}
