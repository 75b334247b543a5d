import { createAclUser, infoOf, type RedisServer, spawnRedisServer } from '@mocapi/redis-harness';
import { Redis } from 'ioredis';

describe('a spawned redis-server', () => {
  const spawned: RedisServer[] = [];
  const spawn = async (...args: string[]) => {
    const server = await spawnRedisServer({ args });
    spawned.push(server);
    return server;
  };

  afterEach(async () => {
    await Promise.all(spawned.splice(0).map((server) => server.stop()));
  });

  it('comes back after a kill on its port, with what it has written to its file', async () => {
    const server = await spawn('--appendonly', 'yes', '--appendfsync', 'always');
    const client = server.client();
    await client.set('kept', '1');
    const pid = server.pid();
    await expect(server.kill()).resolves.toBe('SIGKILL');
    await expect(server.kill()).resolves.toBeUndefined();
    await server.restart();
    expect(server.pid()).not.toBe(pid);
    await expect(client.get('kept')).resolves.toBe('1');
  });

  it('comes back empty when it saves nothing', async () => {
    const server = await spawn();
    const client = server.client();
    await client.set('lost', '1');
    await server.kill();
    await server.restart();
    await expect(client.get('lost')).resolves.toBeNull();
  });

  it('answers nothing while it is paused, and everything afterwards', async () => {
    const server = await spawn();
    const client = server.client();
    await client.ping();
    await server.pause();
    let answered = false;
    const answer = client.ping().finally(() => (answered = true));
    const impatient = server.client({ commandTimeout: 100, maxRetriesPerRequest: 0 });
    await expect(impatient.ping()).rejects.toThrow(/timed out/i);
    expect(answered).toBe(false);
    server.resume();
    await expect(answer).resolves.toBe('PONG');
  });

  it('lets a second user do what its rules say, and no more', async () => {
    const server = await spawn();
    const url = await createAclUser(server.client(), server.url, ['~mine:*', '+get', '+set', '+info']);
    const user = new Redis(url);
    try {
      await expect(user.set('mine:1', '1')).resolves.toBe('OK');
      await expect(user.set('other:1', '1')).rejects.toThrow(/NOPERM/);
      await expect(user.flushall()).rejects.toThrow(/NOPERM/);
      expect((await infoOf(user, 'server')).get('redis_version')).toMatch(/^\d+\./);
    } finally {
      user.disconnect();
    }
  });
});
