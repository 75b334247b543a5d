import { redisUrl } from '@mocapi/redis-harness';
import type { RedisConnection } from '@mocapi/tasks-redis';
import { describeStoreModel } from '../../../../test/support/task-store-model/describe-store-model.js';
import { connect, type ContractNode, contractSubject, shared } from '../support/open-store.js';

let connections: Record<ContractNode, RedisConnection> | undefined;

beforeAll(async () => {
  const source = { kind: 'url', url: redisUrl() } as const;
  connections = { node: await connect(source), peer: await connect(source) };
});

afterAll(async () => {
  for (const connection of Object.values(connections ?? {})) await connection.close();
});

describeStoreModel(
  contractSubject('RedisTaskStore', (node) => shared(connections![node]), 'fake'),
  { oneByOne: 500, atOnce: 200 },
);
