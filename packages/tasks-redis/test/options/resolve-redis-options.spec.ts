import { randomBytes } from 'node:crypto';
import { EnvironmentValueResolver, McpDefinitionsError, type DefinitionFault } from '@mocapi/core';
import { Cluster, Redis } from 'ioredis';
import type { McpTasksRedisModuleOptions } from '../../src/options/redis-module-options.js';
import { resolveRedisOptions, type ResolvedRedisOptions } from '../../src/options/resolve-redis-options.js';

const KEY = randomBytes(32).toString('base64');
const URL = 'redis://127.0.0.1:6379';
const ENVIRONMENT = {
  REDIS_URL: 'redis://:pass@db:6380/2',
  PREFIX: 'shop:',
  TIMEOUT: 'PT3S',
  HOST: 'db',
  PW: 'secret',
  KEY,
  NODE: 'n1:7000',
};

const resolve = (options: McpTasksRedisModuleOptions): ResolvedRedisOptions =>
  resolveRedisOptions(options, new EnvironmentValueResolver(ENVIRONMENT));

/** What is wrong with these options. */
function faults(options: McpTasksRedisModuleOptions): readonly DefinitionFault[] {
  try {
    resolve(options);
  } catch (error) {
    if (error instanceof McpDefinitionsError) return error.faults;
    throw error;
  }
  return [];
}

const idle = (options: object): Redis => new Redis({ lazyConnect: true, ...options });
const idleCluster = (options: object): Cluster => new Cluster([{ port: 1 }], { lazyConnect: true, ...options });

describe('options of the Redis module', () => {
  it('have defaults for all but the place', () => {
    expect(resolve({ url: URL })).toEqual({
      source: { kind: 'url', url: URL },
      keyPrefix: 'mocapi:tasks:',
      connectTimeoutMs: 10_000,
      commandTimeoutMs: 2000,
      retryForMs: 5000,
      maxRecordBytes: 4_194_304,
      allowUnlimitedTtl: false,
      encryption: undefined,
      onUnsafe: 'refuse',
    });
  });

  it('resolve placeholders in every text', () => {
    const { source, keyPrefix, commandTimeoutMs, encryption } = resolve({
      url: '${REDIS_URL}',
      keyPrefix: '${PREFIX}',
      commandTimeout: '${TIMEOUT}',
      encryption: { keys: [{ id: '${ID:a}', key: '${KEY}' }] },
    });
    expect(source).toEqual({ kind: 'url', url: ENVIRONMENT.REDIS_URL });
    expect([keyPrefix, commandTimeoutMs, [...encryption!.keys.keys()]]).toEqual(['shop:', 3000, ['a']]);
    expect(resolve({ redis: { host: '${HOST}', port: 1, password: '${PW}' } }).source).toEqual({
      kind: 'server',
      options: { host: 'db', port: 1, password: 'secret' },
    });
    const options = { maxRedirections: 3, redisOptions: { password: '${PW}' } };
    expect(resolve({ cluster: { nodes: ['${NODE}', { host: '${HOST}', port: 1 }, 7001], options } }).source).toEqual({
      kind: 'cluster',
      nodes: ['n1:7000', { host: 'db', port: 1 }, 7001],
      options: { maxRedirections: 3, redisOptions: { password: 'secret' } },
    });
  });

  it('are all told that are wrong, each with its fix', () => {
    const found = faults({
      url: 'http://db',
      keyPrefix: 'a b',
      connectTimeout: 0,
      commandTimeout: 'soon',
      retryFor: '${UNSET}',
      maxRecordBytes: 1.5,
      encryption: { keys: [{ id: 'a', key: 'short' }] },
      onUnsafe: 'ignore' as never,
    });
    expect(found.map(({ where }) => where)).toEqual(
      ['url', 'keyPrefix', 'connectTimeout', 'commandTimeout', 'retryFor', 'maxRecordBytes', 'encryption.keys', 'onUnsafe'].map(
        (option) => `McpTasksRedisModule ${option}`,
      ),
    );
    expect(found.every(({ fix, problem }) => fix !== '' && problem !== '')).toBe(true);
  });
});

describe('an option that does not exist', () => {
  it('is a fault, listed with the others, that names the one that is meant', () => {
    const options: object = {
      ulr: URL,
      comandTimeout: 'PT1S',
      cluster: { nodes: [{ port: 1 }], option: {} },
      encryption: { keys: [{ id: 'a', key: KEY }], aceptClear: true },
      retryFor: 0,
    };
    expect(faults(options).map(({ where, fix }) => `${where}: ${fix}`)).toEqual([
      'McpTasksRedisModule ulr: Did you mean url?',
      'McpTasksRedisModule comandTimeout: Did you mean commandTimeout?',
      'McpTasksRedisModule cluster.option: Did you mean options?',
      'McpTasksRedisModule encryption.aceptClear: Did you mean acceptClear?',
      expect.stringContaining('McpTasksRedisModule retryFor'),
    ]);
  });
});

describe('the place of the Redis', () => {
  it.each<[string, McpTasksRedisModuleOptions, RegExp]>([
    ['nowhere', {}, /address of the Redis is missing/],
    ['in two places', { url: URL, redis: {} }, /url and redis are set/],
    ['a URL of something else', { url: 'http://db:6379' }, /does not begin with redis/],
    ['a bare host', { url: 'db:6379' }, /does not begin with redis/],
    ['no URL behind its beginning', { url: 'redis://a:b:c' }, /not a URL/],
    ['a URL without a host', { url: 'redis:///0' }, /has no host/],
    ['a URL with a path', { url: 'redis://db/tasks' }, /number of a database/],
    ['a URL with options', { url: 'redis://db?keyPrefix=x' }, /after the question mark/],
    ['a placeholder without a value', { url: '${UNSET}' }, /UNSET/],
    ['options with a prefix', { redis: { keyPrefix: 'x' } }, /its own keyPrefix/],
    ['options of a replica', { redis: { readOnly: true } }, /replicas/],
    ['a sentinel asked for replicas', { redis: { sentinels: [{ host: 'a' }], name: 'm', role: 'slave' } }, /replicas/],
    ['a cluster without nodes', { cluster: { nodes: [] } }, /lists no nodes/],
    ['a cluster with a prefix', { cluster: { nodes: [1], options: { keyPrefix: 'x' } } }, /its own keyPrefix/],
    ['a cluster whose nodes have one', { cluster: { nodes: [1], options: { redisOptions: { keyPrefix: 'x' } } } }, /its own keyPrefix/],
    ['a cluster read from replicas', { cluster: { nodes: [1], options: { scaleReads: 'slave' } } }, /replicas/],
    ['no client', { client: {} as never }, /not a client of ioredis/],
    ['a client with a prefix', { client: idle({ keyPrefix: 'x' }) }, /its own keyPrefix/],
    ['a client that reads from replicas', { client: idleCluster({ scaleReads: 'all' }) }, /replicas/],
  ])('may not be %s', (_what, options, problem) => {
    const found = faults(options);
    expect(found).toHaveLength(1);
    expect(found[0]!.problem).toMatch(problem);
    expect(found[0]!.fix).toMatch(/Write|Pass|Set|Leave out|Correct/);
  });

  it.each<[string, McpTasksRedisModuleOptions, string]>([
    ['a URL with a database', { url: 'redis://u:p@db:1/7' }, 'url'],
    ['a URL for TLS and a family of addresses', { url: 'rediss://db?family=6' }, 'url'],
    ['sentinels', { redis: { sentinels: [{ host: 'a', port: 1 }], name: 'main' } }, 'server'],
    ['a client', { client: idle({}) }, 'client'],
    ['a cluster client', { client: idleCluster({}) }, 'client'],
  ])('may be %s', (_what, options, kind) => {
    expect(resolve(options).source.kind).toBe(kind);
  });

  it.each(['http://:hunter2@db', 'redis://:hunter2@/0', 'redis://db/hunter2', 'redis://:hunter2@db:x', 'redis://db?password=hunter2'])(
    'is not told with what may be its password: %s',
    (url) => {
      const found = faults({ url });
      expect(found).toHaveLength(1);
      expect(JSON.stringify(found)).not.toContain('hunter2');
    },
  );
});

describe('a key prefix', () => {
  it.each(['', 'a b', 'a*', '{a}', 'a\n', 'ä', 'x'.repeat(129)])('may not be %j', (keyPrefix) => {
    expect(faults({ url: URL, keyPrefix })).toHaveLength(1);
  });

  it.each(['a', 'shop:prod/tasks.v1-2_', 'x'.repeat(128)])('may be %j', (keyPrefix) => {
    expect(resolve({ url: URL, keyPrefix }).keyPrefix).toBe(keyPrefix);
  });
});

describe('encryption', () => {
  it.each<[string, unknown, RegExp]>([
    ['without keys', {}, /encryption.keys is empty/],
    ['with a key too short', { keys: [{ id: 'a', key: 'AAAA' }] }, /must be 32 bytes/],
    ['with a pass phrase', { keys: [{ id: 'a', key: 'correct horse' }] }, /not base64/],
    [
      'with an id twice',
      {
        keys: [
          { id: 'a', key: KEY },
          { id: 'a', key: KEY },
        ],
      },
      /twice/,
    ],
    ['with a key that is not set', { keys: [{ id: 'a', key: '${UNSET}' }] }, /UNSET/],
  ])('%s is a fault', (_how, encryption, problem) => {
    expect(faults({ url: URL, encryption: encryption as never })).toMatchObject([{ problem: expect.stringMatching(problem) }]);
  });

  it('whose keys are wrong is told how to make one, not to do without', () => {
    const [fault] = faults({ url: URL, encryption: { keys: [{ id: 'a', key: 'short' }] } });
    expect(fault!.fix).toMatch(/openssl rand -base64 32/);
    expect(fault!.fix).not.toMatch(/leave/i);
  });
});
