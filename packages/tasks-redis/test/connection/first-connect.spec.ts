import { jest } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, connect } from 'node:net';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:tls';
import { inspect } from 'node:util';
import { spawnRedisServer, startRedisCluster, until, type RedisServer, type RunningRedisCluster } from '@mocapi/redis-harness';
import { Redis } from 'ioredis';
import { openConnection } from '../../src/connection/open-connection.js';
import type { RedisConnection } from '../../src/connection/redis-connection.js';
import type { RedisSource } from '../../src/connection/redis-source.js';
import { RecordingLog } from '../support/recording-log.js';

// Servers and clusters are started, on a machine that may be busy.
jest.setTimeout(30_000);

const PASSWORD = 'correct-horse-battery';
const SETTINGS = { connectTimeoutMs: 10_000, commandTimeoutMs: 2000 };

let server: RedisServer;
const log = new RecordingLog();

beforeAll(async () => void (server = await spawnRedisServer({ args: ['--requirepass', PASSWORD] })));
afterAll(() => server.stop());

const open = (source: RedisSource, connectTimeoutMs = SETTINGS.connectTimeoutMs): Promise<RedisConnection> =>
  openConnection(source, { ...SETTINGS, connectTimeoutMs }, log);

const urlWith = (password: string, rest = ''): string => `redis://:${password}@127.0.0.1:${server.port}${rest}`;

/** What the attempt to connect met with, and after how many milliseconds. */
async function refusal(source: RedisSource, connectTimeoutMs?: number): Promise<{ error: Error; ms: number }> {
  const began = performance.now();
  const error: unknown = await open(source, connectTimeoutMs).then(
    async (connection) => (await connection.close(), new Error('it connected')),
    (thrown: unknown) => thrown,
  );
  return { error: error as Error, ms: performance.now() - began };
}

/** Something that listens on a free port. */
async function listening(other: Server): Promise<{ port: number; stop: () => Promise<void> }> {
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const stop = (): Promise<void> => new Promise((resolve) => void other.close(() => resolve()));
  return { port: (other.address() as AddressInfo).port, stop };
}

describe('the first connection', () => {
  it('is there once it is open', async () => {
    const connection = await open({ kind: 'url', url: urlWith(PASSWORD) });
    expect(connection).toMatchObject({ isCluster: false, address: `127.0.0.1:${server.port}` });
    expect(await connection.commands.ping()).toBe('PONG');
    // For subscriptions it is made when there is one.
    expect(connection.subscriber.status).toBe('wait');
    await connection.close();
  });

  it.each([
    ['with a wrong password', () => urlWith('wrong-horse'), /WRONGPASS/],
    ['without a password', () => `redis://127.0.0.1:${server.port}`, /NOAUTH/],
    ['to a database that is not there', () => urlWith(PASSWORD, '/999'), /DB index/],
  ])('%s fails at once, naming the place and no password', async (_how, url, reason) => {
    const { error, ms } = await refusal({ kind: 'url', url: url() });
    expect(error.message).toMatch(`Redis can't be reached at 127.0.0.1:${server.port}: `);
    expect(error.message).toMatch(reason);
    expect(inspect(error, { depth: 20 })).not.toMatch(/horse/);
    expect(ms).toBeLessThan(SETTINGS.connectTimeoutMs / 2);
  });

  it('to nobody fails after the time to connect, with what it met', async () => {
    const { port, stop } = await listening(createServer());
    await stop();
    const { error, ms } = await refusal({ kind: 'url', url: `redis://:${PASSWORD}@127.0.0.1:${port}` }, 300);
    expect(error.message).toMatch(/ECONNREFUSED/);
    expect(inspect(error, { depth: 20 })).not.toMatch(/horse/);
    expect(ms).toBeGreaterThanOrEqual(290);
    expect(ms).toBeLessThan(3000);
  });

  it('to somebody who says nothing fails after the time to connect', async () => {
    const sockets: { destroy(): void }[] = [];
    const { port, stop } = await listening(createServer((socket) => void sockets.push(socket)));
    const { error, ms } = await refusal({ kind: 'url', url: `redis://127.0.0.1:${port}` }, 300);
    expect(sockets.length).toBeGreaterThan(0);
    expect(error.message).toMatch(`127.0.0.1:${port}`);
    expect(ms).toBeLessThan(3000);
    for (const socket of sockets) socket.destroy();
    await stop();
  });

  it('waits for a Redis that is still on its way', async () => {
    const late = await spawnRedisServer();
    await late.kill();
    const opening = open({ kind: 'url', url: late.url });
    await late.restart();
    const connection = await opening;
    expect(await connection.commands.ping()).toBe('PONG');
    await connection.close();
    await late.stop();
  });

  it('that fails leaves nothing open', async () => {
    const watcher = new Redis(urlWith(PASSWORD));
    const clients = async () =>
      String(await watcher.client('LIST'))
        .split('\n')
        .filter((line) => line !== '').length;
    expect(await clients()).toBe(1);
    await refusal({ kind: 'url', url: urlWith(PASSWORD, '/999') });
    await until('the connection is gone', async () => (await clients()) === 1);
    watcher.disconnect();
  });

  it('by a client that has ended fails at once', async () => {
    const client = new Redis(urlWith(PASSWORD));
    await once(client, 'ready');
    client.disconnect();
    await once(client, 'end');
    const { ms } = await refusal({ kind: 'client', client });
    expect(ms).toBeLessThan(1000);
  });
});

describe('a connection by TLS', () => {
  const file = (name: string): Promise<Buffer> => readFile(new URL(`./tls/${name}.pem`, import.meta.url));

  /** Takes TLS off, in front of the server. */
  async function behindTls(): Promise<{ port: number; stop: () => Promise<void> }> {
    const options = { key: await file('key'), cert: await file('cert') };
    return listening(
      createTlsServer(options, (near) => {
        const far = connect(server.port, '127.0.0.1');
        near.on('error', () => undefined).on('close', () => far.destroy());
        far.on('error', () => undefined).on('close', () => near.destroy());
        near.pipe(far).pipe(near);
      }).on('tlsClientError', () => undefined),
    );
  }

  it('is made for rediss://, and refuses a certificate that nobody vouches for at once', async () => {
    const tls = await behindTls();
    const { error, ms } = await refusal({ kind: 'url', url: `rediss://:${PASSWORD}@127.0.0.1:${tls.port}` });
    expect(error.message).toMatch(/certificate/);
    expect(ms).toBeLessThan(SETTINGS.connectTimeoutMs / 2);
    await tls.stop();
  });

  it('takes the certificate authority of its options, for commands and subscriptions', async () => {
    const tls = await behindTls();
    const options = { host: '127.0.0.1', port: tls.port, password: PASSWORD, tls: { ca: await file('cert') } };
    const connection = await open({ kind: 'server', options });
    expect(await connection.commands.ping()).toBe('PONG');
    expect(await connection.subscriber.subscribe('x')).toBe(1);
    await connection.close();
    await tls.stop();
  });
});

describe('a cluster', () => {
  let cluster: RunningRedisCluster;
  beforeAll(async () => void (cluster = await startRedisCluster()), 30_000);
  afterAll(() => cluster.stop());

  it('is found by one of its nodes, and hears what is published on another', async () => {
    const connection = await open({ kind: 'cluster', nodes: cluster.nodes.slice(0, 1), options: {} });
    expect(connection.isCluster).toBe(true);
    expect(connection.address).toBe(`the cluster at 127.0.0.1:${cluster.nodes[0]!.port}`);
    for (const key of ['a', 'b', 'c', 'd', 'e']) expect(await connection.commands.set(key, key)).toBe('OK');
    const heard = once(connection.subscriber as never, 'message');
    await connection.subscriber.subscribe('x');
    await connection.commands.publish('x', 'y');
    expect(await heard).toEqual(['x', 'y']);
    await connection.close();
  });

  it('of which no node answers is not waited for any longer than a server', async () => {
    const { port, stop } = await listening(createServer());
    await stop();
    const node = { host: '127.0.0.1', port, password: PASSWORD };
    const { error, ms } = await refusal({ kind: 'cluster', nodes: [node], options: {} }, 300);
    // What each node met with, ioredis keeps to itself.
    expect(error.message).toBe(`Redis can't be reached at the cluster at 127.0.0.1:${port}: no answer`);
    expect(inspect(error, { depth: 20 })).not.toMatch(/horse/);
    expect(ms).toBeLessThan(3000);
  });

  it.each([
    ['with a wrong password', 'wrong-horse', /WRONGPASS/],
    ['that is none', PASSWORD, /cluster support disabled/],
  ])('%s fails at once, naming the place and no password', async (_how, password, reason) => {
    const nodes = [{ host: '127.0.0.1', port: server.port }, `redis://:${password}@127.0.0.1:${server.port}`];
    const { error, ms } = await refusal({ kind: 'cluster', nodes, options: { redisOptions: { password } } });
    expect(error.message).toMatch(reason);
    expect(error.message).toMatch(`127.0.0.1:${server.port}`);
    expect(inspect(error, { depth: 20 })).not.toMatch(/horse/);
    expect(ms).toBeLessThan(SETTINGS.connectTimeoutMs / 2);
  });
});
