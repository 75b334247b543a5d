import { jest } from '@jest/globals';
import { once } from 'node:events';
import { spawnRedisServer, startRedisPair, until, type RedisServer, type RunningRedisPair } from '@mocapi/redis-harness';
import { TaskStoreUnavailableError } from '@mocapi/tasks';
import { Redis } from 'ioredis';
import { RedisCommands } from '../../src/commands/redis-commands.js';
import { openConnection } from '../../src/connection/open-connection.js';
import type { RedisConnection } from '../../src/connection/redis-connection.js';
import { RecordingLog } from '../support/recording-log.js';

// A server of its own for each test, on a machine that may be busy.
jest.setTimeout(30_000);

const SETTINGS = { connectTimeoutMs: 10_000, commandTimeoutMs: 300 };

let server: RedisServer;
let log: RecordingLog;
const opened: RedisConnection[] = [];

beforeEach(async () => {
  log = new RecordingLog();
  server = await spawnRedisServer();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
  await server.stop();
});

async function open(url = server.url): Promise<RedisConnection> {
  const connection = await openConnection({ kind: 'url', url }, SETTINGS, log);
  opened.push(connection);
  return connection;
}

/** Kills the server, and waits until the connection knows. */
async function kill({ commands }: RedisConnection): Promise<void> {
  const closed = once(commands, 'close');
  expect(await server.kill()).toBe('SIGKILL');
  await closed;
}

const answers = (connection: RedisConnection) => async () => (await connection.commands.ping().catch(() => 'away')) === 'PONG';

describe('while Redis is away', () => {
  it('a command fails at once, and works again once it is back', async () => {
    const connection = await open();
    let pauseMs = 0;
    connection.commands.on('reconnecting', (delay: number) => void (pauseMs = delay));
    await kill(connection);
    // In a pause longer than a command may take: one that waited would meet its own end, and say so.
    await until('it pauses between two attempts', () => pauseMs > SETTINGS.commandTimeoutMs);
    await expect(connection.commands.get('x')).rejects.toThrow(/enableOfflineQueue/);
    await server.restart();
    await until('commands are answered again', answers(connection));
  });

  it('a subscription waits, and is heard of once it is back', async () => {
    const connection = await open();
    await connection.subscriber.subscribe('before');
    await kill(connection);
    const heard: string[] = [];
    connection.subscriber.on('message', (channel: string) => heard.push(channel));
    const waiting = connection.subscriber.subscribe('meanwhile');
    await server.restart();
    await waiting;
    await until('commands are answered again', answers(connection));
    await until('both channels are heard', async () => {
      await connection.commands.publish('before', '');
      await connection.commands.publish('meanwhile', '');
      return new Set(heard).size === 2;
    });
  });

  it('the log says so once, whatever is tried meanwhile, and once that it is back', async () => {
    const connection = await open();
    await connection.subscriber.subscribe('x');
    const attempts: number[] = [];
    connection.commands.on('reconnecting', (delay: number) => attempts.push(delay));
    await kill(connection);
    await until('it has tried to connect again', () => attempts.length >= 3);
    await expect(connection.commands.get('x')).rejects.toThrow();
    expect(log.warnings).toEqual([expect.stringMatching(`^Redis is away: 127.0.0.1:${server.port}, `)]);
    expect(log.lines).toEqual([]);
    await server.restart();
    await until('the log says that it is back', () => log.lines.length > 0);
    await until('commands are answered again', answers(connection));
    expect(log.lines).toEqual([`Redis is back: 127.0.0.1:${server.port}`]);
    expect(log.warnings).toHaveLength(1);
  });
});

describe('a server that stands still', () => {
  it('holds up a command for the time of a command, and its connection is given up when it goes on', async () => {
    const connection = await open();
    const commands = new RedisCommands(connection, { commandTimeoutMs: SETTINGS.commandTimeoutMs, retryForMs: 1000 });
    await server.pause();
    const began = performance.now();
    await expect(commands.read((client) => client.get('x'))).rejects.toBeInstanceOf(TaskStoreUnavailableError);
    expect(performance.now() - began).toBeGreaterThanOrEqual(SETTINGS.commandTimeoutMs - 10);
    expect(performance.now() - began).toBeLessThan(SETTINGS.commandTimeoutMs * 2.5);
    await until('the silent connection is closed', () => connection.commands.status !== 'ready');
    server.resume();
    await until('commands are answered again', answers(connection));
  });
});

describe('a primary that became a replica', () => {
  let pair: RunningRedisPair;
  beforeAll(async () => void (pair = await startRedisPair()));
  afterAll(() => pair.stop());

  it('is left for whoever answers at its address now', async () => {
    const connection = await open(pair.primary.url);
    const demoted = pair.primary.client();
    await pair.promote();
    await demoted.replicaof('127.0.0.1', pair.replica.port);
    const before = await connection.commands.client('ID');
    await expect(connection.commands.set('x', '1')).rejects.toThrow();
    await until('it is connected anew', async () => (await connection.commands.client('ID').catch(() => before)) !== before);
  });
});

describe('a connection that is closed', () => {
  it('is ended, and says nothing of it', async () => {
    const connection = await open();
    await connection.subscriber.subscribe('x');
    await connection.close();
    await until('both have ended', () => connection.commands.status === 'end' && connection.subscriber.status === 'end');
    expect(log.text()).toBe('');
    await connection.close();
  });

  it('is closed all the same while Redis is away', async () => {
    const connection = await open();
    await kill(connection);
    await connection.close();
    // ioredis then leaves the status as it is; what matters is that nothing is left to wake up.
    for (const client of [connection.commands, connection.subscriber]) expect(client).toMatchObject({ reconnectTimeout: null });
  });

  it('is closed in the time of a command by a server that stands still', async () => {
    const connection = await open();
    await server.pause();
    const began = performance.now();
    await connection.close();
    expect(performance.now() - began).toBeGreaterThanOrEqual(SETTINGS.commandTimeoutMs - 10);
    expect(performance.now() - began).toBeLessThan(SETTINGS.commandTimeoutMs * 2.5);
    server.resume();
  });

  it('answers what is in flight before', async () => {
    const connection = await open();
    const asked = connection.commands.set('in-flight', 'yes');
    await connection.close();
    expect(await asked).toBe('OK');
  });
});

describe('a client that was handed in', () => {
  it('is used as it is, and stays open, while its duplicate for subscriptions ends', async () => {
    const client = new Redis(server.url);
    await once(client, 'ready');
    const listeners = () => ['error', 'close', 'ready', 'end', '+node', 'node error'].map((event) => client.listenerCount(event));
    const before = listeners();
    const connection = await openConnection({ kind: 'client', client }, SETTINGS, log);
    expect(connection.commands).toBe(client);
    expect(connection.subscriber).not.toBe(client);
    await connection.subscriber.subscribe('x');
    await connection.close();
    await until('the duplicate has ended', () => connection.subscriber.status === 'end');
    expect(await client.ping()).toBe('PONG');
    expect(listeners()).toEqual(before);
    client.disconnect();
  });

  it('is connected, if it waited for that', async () => {
    const client = new Redis(server.url, { lazyConnect: true });
    const connection = await openConnection({ kind: 'client', client }, SETTINGS, log);
    expect(client.status).toBe('ready');
    await connection.close();
    client.disconnect();
  });
});
