import { Cluster, Redis } from 'ioredis';
import { ensureRedis, redisUrl, redisWays, startRedis, startRedisCluster, startSharedRedis, until } from '@mocapi/redis-harness';
import type { InstallHost, RedisWay, RunningRedisCluster } from '@mocapi/redis-harness';

// An environment where all three ways are closed.
const BARE = { DOCKER_HOST: 'unix:///nowhere/docker.sock', PATH: '/nowhere' };

const open = (
  name: string,
  start: RedisWay['start'] = async () => ({ url: `redis://${name}`, way: name, stop: async () => {} }),
): RedisWay => ({
  name,
  hint: `do ${name}`,
  closedBecause: async () => undefined,
  start,
});
const closed = (name: string): RedisWay => ({ ...open(name), closedBecause: async () => 'closed' });
const failing = (name: string): RedisWay => open(name, async () => Promise.reject(new Error('broken')));

describe('the Redis that a test run shares', () => {
  it('is a real one: it runs a Lua script', async () => {
    const redis = new Redis(redisUrl());
    try {
      const script = "redis.call('SET', KEYS[1], ARGV[1], 'PX', 5000) return redis.call('STRLEN', KEYS[1])";
      await expect(redis.eval(script, 1, 'mocapi:redis-harness:spec', 'mocapi')).resolves.toBe(6);
    } finally {
      redis.disconnect();
    }
  });

  it('fails a spec that asks for it where there is none, and names the three ways to have one', async () => {
    const env: NodeJS.ProcessEnv = {};
    await expect(startSharedRedis(redisWays(BARE), env)).resolves.toBeUndefined();
    expect(() => redisUrl(env)).toThrow(
      [
        'These tests need a Redis. To have one, do one of these:',
        '  - set REDIS_URL to a running one (REDIS_URL: not set)',
        '  - start a Docker engine (Docker: no engine answers)',
        '  - install redis-server, or set REDIS_SERVER_BIN to its path (redis-server: not on the PATH)',
      ].join('\n'),
    );
  });

  it('is asked for in vain outside of a run that starts one', () => {
    expect(() => redisUrl({})).toThrow('No Redis was started');
  });
});

describe('startRedis', () => {
  it('takes the first way that is open', async () => {
    await expect(startRedis([closed('a'), open('b'), open('c')])).resolves.toMatchObject({ way: 'b' });
  });

  it('goes on to the next way when an open one fails', async () => {
    await expect(startRedis([failing('a'), open('b')])).resolves.toMatchObject({ way: 'b' });
  });

  it('uses no other Redis when REDIS_URL names one that does not answer', async () => {
    const ways = [...redisWays({ ...BARE, REDIS_URL: 'redis://127.0.0.1:1' }), open('other')];
    await expect(startRedis(ways)).rejects.toThrow(/REDIS_URL: nothing answers there: .*ECONNREFUSED/);
  });

  it('says which REDIS_SERVER_BIN can not be run', async () => {
    await expect(startRedis(redisWays({ ...BARE, REDIS_SERVER_BIN: '/nowhere/redis' }))).rejects.toThrow('/nowhere/redis can not be run');
  });
});

describe('ensureRedis', () => {
  const attempt = async (ways: RedisWay[], env: NodeJS.ProcessEnv, host: Partial<InstallHost> = {}) => {
    const installed: string[] = [];
    const lines: string[] = [];
    const install = async (name: string) => void installed.push(name);
    await ensureRedis({ env, ways, host: { canInstall: () => true, install, ...host }, log: (line) => lines.push(line) });
    return { installed, lines };
  };

  it('installs redis-server where no way is open, and says so in one line', async () => {
    const { installed, lines } = await attempt([closed('a')], {});
    expect(installed).toEqual(['redis-server']);
    expect(lines).toEqual([expect.stringContaining('installing redis-server')]);
  });

  it('installs nothing where MOCAPI_INSTALL_REDIS=0 forbids it', async () => {
    await expect(attempt([closed('a')], { MOCAPI_INSTALL_REDIS: '0' })).resolves.toEqual({ installed: [], lines: [] });
  });

  it('installs nothing where a way is open, nor on a machine that is not made for it', async () => {
    await expect(attempt([open('a')], {})).resolves.toEqual({ installed: [], lines: [] });
    await expect(attempt([closed('a')], {}, { canInstall: () => false })).resolves.toEqual({ installed: [], lines: [] });
  });

  it('lets the specs tell when the installation fails', async () => {
    const { lines } = await attempt([closed('a')], {}, { install: async () => Promise.reject(new Error('no network')) });
    expect(lines[1]).toBe('redis-server could not be installed: no network');
  });
});

describe('startRedisCluster', () => {
  let running: RunningRedisCluster;
  let cluster: Cluster;

  beforeAll(async () => {
    running = await startRedisCluster();
    cluster = new Cluster([...running.nodes]);
  }, 30_000);

  afterAll(async () => {
    cluster?.disconnect();
    await running?.stop();
  });

  it('spreads keys over three nodes', async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `{${index}}`);
    await Promise.all(keys.map(async (key) => cluster.eval("return redis.call('SET', KEYS[1], '1')", 1, key)));
    const sizes = await Promise.all(cluster.nodes('master').map(async (node) => node.dbsize()));
    expect(sizes).toHaveLength(3);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(keys.length);
  });

  it('moves a slot with its keys from node to node while clients write to it', async () => {
    const keys = Array.from({ length: 250 }, (_, index) => `{moving}:${index}`);
    await Promise.all(keys.map(async (key) => cluster.set(key, '0')));
    const { slot, node } = await running.slotOf('{moving}');
    let acknowledged = 0;
    const ending = new AbortController();
    const writer = async (key: string) => {
      while (!ending.signal.aborted) acknowledged = Math.max(acknowledged, await cluster.incr(key));
    };
    const writing = writer('{moving}:counter');
    const to = (node + 1) % running.nodes.length;
    await expect(running.moveSlot(slot, to)).resolves.toBeGreaterThanOrEqual(keys.length);
    await expect(running.slotOf('{moving}')).resolves.toEqual({ slot, node: to });
    const before = acknowledged;
    await until('the writer goes on', () => acknowledged > before);
    ending.abort();
    await writing;
    await expect(cluster.get('{moving}:counter')).resolves.toBe(String(acknowledged));
    await expect(running.servers[to]!.client().get('{moving}:counter')).resolves.toBe(String(acknowledged));
    await expect(cluster.exists(...keys)).resolves.toBe(keys.length);
  });
});
