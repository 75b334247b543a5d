import { jest } from '@jest/globals';
import { type RunningRedisCluster, startRedisCluster } from '@mocapi/redis-harness';
import type { RedisConnection } from '@mocapi/tasks-redis';
import { taskChangeFeedContract, taskNodesContract, taskRunIndexContract, taskStoreContract } from '@mocapi/testing';
import { connect, type ContractNode, contractSubject, shared } from '../support/open-store.js';

// Longer than anything in here waits.
jest.setTimeout(60_000);

let cluster: RunningRedisCluster | undefined;
let connections: Record<ContractNode, RedisConnection> | undefined;

beforeAll(async () => {
  cluster = await startRedisCluster();
  const source = { kind: 'cluster', nodes: [...cluster.nodes], options: {} } as const;
  connections = { node: await connect(source), peer: await connect(source) };
});

afterAll(async () => {
  for (const connection of Object.values(connections ?? {})) await connection.close();
  await cluster?.stop();
});

for (const clock of ['real', 'fake'] as const) {
  const subject = contractSubject(`RedisTaskStore in a cluster, with ${clock} time,`, (node) => shared(connections![node]), clock);
  taskStoreContract({ describe, it }, subject);
  taskChangeFeedContract({ describe, it }, subject);
  taskRunIndexContract({ describe, it }, subject);
}

taskNodesContract(
  { describe, it },
  contractSubject('RedisTaskStore in a cluster', (node) => shared(connections![node]), 'real'),
);
