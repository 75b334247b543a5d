import { jest } from '@jest/globals';
import {
  createAclUser,
  spawnRedisServer,
  startRedisCluster,
  startRedisPair,
  type RedisServer,
  type RunningRedisCluster,
} from '@mocapi/redis-harness';
import { Redis } from 'ioredis';
import { checkServers } from '../../src/boot-check/check-servers.js';
import { openConnection } from '../../src/connection/open-connection.js';
import type { RedisSource } from '../../src/connection/redis-source.js';
import { RecordingLog } from '../support/recording-log.js';

// Servers are started for each test, on a machine that may be busy.
jest.setTimeout(30_000);

const SETTINGS = { connectTimeoutMs: 10_000, commandTimeoutMs: 2000 };
const VERSION = /Redis \d+\.\d+\.\d+/;

interface Checked extends RecordingLog {
  /** What the check threw, or what it returned. */
  readonly outcome: string;
}

async function check(source: RedisSource, onUnsafe: 'refuse' | 'warn' = 'refuse'): Promise<Checked> {
  const log = new RecordingLog();
  const connection = await openConnection(source, SETTINGS, log);
  const outcome = await checkServers(connection, { onUnsafe }, log).catch((error: Error) => error.message);
  await connection.close();
  return Object.assign(log, { outcome });
}

async function withServer<T>(args: readonly string[], use: (server: RedisServer) => Promise<T>): Promise<T> {
  const server = await spawnRedisServer({ args });
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

const at = (server: RedisServer): RedisSource => ({ kind: 'url', url: server.url });

describe('the boot check', () => {
  it('says in one line what it found on a server with an append-only file', () =>
    withServer(['--appendonly', 'yes'], async (server) => {
      const { lines, warnings, outcome } = await check(at(server));
      expect(outcome).toMatch(VERSION);
      expect(lines).toEqual([`${outcome}, 127.0.0.1:${server.port}: noeviction, AOF everysec, no replicas`]);
      expect(warnings).toEqual([]);
    }));

  it('warns of a server that keeps nothing on disk', () =>
    withServer([], async (server) => {
      const { lines, warnings } = await check(at(server));
      expect(lines).toEqual([expect.stringMatching(/no persistence/)]);
      expect(warnings).toEqual([expect.stringMatching(`^Redis 127.0.0.1:${server.port} stores nothing on disk`)]);
    }));

  it('warns of snapshots alone', () =>
    withServer(['--save', '3600', '1'], async (server) => {
      expect((await check(at(server))).warnings).toEqual([expect.stringMatching(/only stores snapshots/)]);
    }));

  it('refuses a server that evicts, and says what to set', () =>
    withServer(['--maxmemory-policy', 'volatile-ttl'], async (server) => {
      const { outcome, lines } = await check(at(server));
      expect(outcome).toMatch(/^Tasks can't be stored in this Redis:\n {2}- 127.0.0.1:\d+ has maxmemory-policy volatile-ttl/);
      expect(lines).toEqual([]);
    }));

  it('warns of a server that evicts instead, if it is told to', () =>
    withServer(['--maxmemory-policy', 'volatile-ttl', '--appendonly', 'yes'], async (server) => {
      const { outcome, warnings } = await check(at(server), 'warn');
      expect(outcome).toMatch(VERSION);
      expect(warnings).toEqual([expect.stringMatching(/volatile-ttl/)]);
    }));

  it('refuses a replica whatever it is told, and tells of a primary whose writes wait for nobody', async () => {
    const pair = await startRedisPair(['--appendonly', 'yes']);
    const replica = await check(at(pair.replica), 'warn');
    expect(replica.outcome).toMatch(/is a replica.*127\.0\.0\.1/);
    const primary = await check(at(pair.primary));
    expect(primary.lines).toEqual([expect.stringMatching(/1 replica$/)]);
    expect(primary.warnings).toEqual([expect.stringMatching(/min-replicas-to-write/)]);
    await pair.primary.client().config('SET', 'min-replicas-to-write', '1');
    const careful = await check(at(pair.primary));
    expect(careful.lines).toEqual([expect.stringMatching(/1 replica, writes need 1$/)]);
    expect(careful.warnings).toEqual([]);
    await pair.stop();
  });

  it('tells by INFO alone where CONFIG is denied', () =>
    withServer(['--maxmemory-policy', 'allkeys-lru'], async (server) => {
      const url = await createAclUser(server.client(), server.url, ['+info', '+ping', '+quit']);
      expect((await check({ kind: 'url', url })).outcome).toMatch(/allkeys-lru/);
      const told = await check({ kind: 'url', url }, 'warn');
      expect(told.lines).toEqual([expect.stringMatching(/allkeys-lru, no AOF, no replicas$/)]);
    }));

  it('tells by INFO alone where CONFIG has another name', () =>
    withServer(['--rename-command', 'CONFIG', 'secret-name'], async (server) => {
      expect((await check(at(server))).lines).toEqual([expect.stringMatching(/noeviction, no AOF, no replicas$/)]);
    }));

  it('warns that it knows nothing where INFO is denied, too', () =>
    withServer([], async (server) => {
      const url = await createAclUser(server.client(), server.url, ['+ping', '+quit']);
      const said = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
      const { outcome, warnings } = await check({ kind: 'url', url });
      expect(outcome).toBe('Redis');
      expect(warnings).toEqual([expect.stringMatching(/does not let this user read INFO/)]);
      // ioredis says on its own that it can't ask whether the server has loaded its data.
      expect(said).toHaveBeenCalled();
      said.mockRestore();
    }));
});

describe('the boot check of a cluster', () => {
  let cluster: RunningRedisCluster;
  beforeAll(async () => void (cluster = await startRedisCluster()), 30_000);
  afterAll(() => cluster.stop());

  it('looks at every primary', async () => {
    const source: RedisSource = { kind: 'cluster', nodes: cluster.nodes.slice(0, 1), options: {} };
    const all = await check(source);
    expect(all.lines).toEqual([expect.stringMatching(/, cluster of 3 primaries, .*: noeviction, no persistence, no replicas$/)]);
    expect(all.warnings).toHaveLength(3);
    const last = cluster.nodes.at(-1)!;
    const client = new Redis(last);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lfu');
    client.disconnect();
    expect((await check(source)).outcome).toMatch(`127.0.0.1:${last.port} has maxmemory-policy allkeys-lfu`);
  });
});
