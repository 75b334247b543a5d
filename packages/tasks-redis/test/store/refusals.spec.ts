import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { type RedisServer, spawnRedisServer, until } from '@mocapi/redis-harness';
import { completed, type TaskKey, TaskStoreFullError, TaskStoreUnavailableError } from '@mocapi/tasks';
import { type RedisConnection, RedisTaskStore, type RedisTaskStoreOptions } from '@mocapi/tasks-redis';
import { sampleDraft } from '@mocapi/testing';
import type { Redis } from 'ioredis';
import { goldenTask, putGolden } from '../support/golden.js';
import { connect, countUp, keyOf } from '../support/open-store.js';

// Longer than anything in here waits.
jest.setTimeout(30_000);

let server: RedisServer;
let client: Redis;
let connection: RedisConnection;
let store: RedisTaskStore;

/** For what waits until they are over. */
const LIMITS = { commandTimeoutMs: 300, retryForMs: 600 } satisfies RedisTaskStoreOptions;
/** By so much a busy machine may be late. */
const BUSY_MS = 2000;
const open = (options: RedisTaskStoreOptions = {}) => new RedisTaskStore(connection, { prefix: 'p:', ...options });

beforeEach(async () => {
  server = await spawnRedisServer();
  client = server.client();
  connection = await connect({ kind: 'url', url: server.url });
  store = open();
});
afterEach(async () => {
  await store.onApplicationShutdown();
  await server.stop();
});

/** What `work` rejects with, and how long it took. */
async function failureOf(work: Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const began = performance.now();
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, ms: performance.now() - began };
}

const isRetryable = (error: unknown) => error instanceof TaskStoreUnavailableError && error.retryAfterMs > 0;

describe('a Redis that is out of memory', () => {
  const fill = async () => {
    await client.config('SET', 'maxmemory-policy', 'noeviction');
    await client.config('SET', 'maxmemory', '1');
  };

  it('refuses creates and updates with a retryable error, writes nothing, and can still be read', async () => {
    const record = await store.create(sampleDraft());
    const before = await client.get(`p:${keyOf(record)}`);
    await fill();
    const draft = sampleDraft();
    const entry = { key: 'step', kind: 'step', fingerprint: '', answered: true } as const;
    const step = () => store.recordEntry(keyOf(record), record.run!, entry);
    for (const work of [() => store.create(draft), () => store.update(keyOf(record), countUp), step])
      expect((await failureOf(work())).error).toBeInstanceOf(TaskStoreFullError);
    expect(await client.get(`p:${keyOf(record)}`)).toEqual(before);
    expect(await client.exists(`p:${keyOf(draft)}`)).toBe(0);
    expect(await store.get(keyOf(record))).toEqual(record);
  });

  it('takes the same update once there is room again', async () => {
    const key = keyOf(await store.create(sampleDraft()));
    await fill();
    await expect(store.update(key, countUp)).rejects.toBeInstanceOf(TaskStoreFullError);
    await client.config('SET', 'maxmemory', '0');
    expect((await store.update(key, countUp))?.version).toBe(2);
  });
});

describe('a Redis that is away', () => {
  it('is not waited for: reads and writes fail at once with a retryable error, and work again when it is back', async () => {
    const key = keyOf(await store.create(sampleDraft()));
    await server.kill();
    await until('the loss is noticed', () => connection.commands.status !== 'ready');
    const works = [() => store.get(key), () => store.create(sampleDraft()), () => store.update(key, countUp), () => store.delete(key)];
    for (const work of [
      ...works,
      () => store.runIndex.join(),
      () => store.runIndex.beat('s'),
      () => store.runIndex.markRunning('s', key),
    ]) {
      const { error, ms } = await failureOf(work());
      expect(isRetryable(error)).toBe(true);
      expect(ms).toBeLessThan(100);
    }
    await server.restart();
    await until('it is back', async () => (await failureOf(store.get(key))).error === undefined);
    expect((await store.create(sampleDraft())).version).toBe(1);
  });

  it('that stands still fails reads after the time of a command, and writes after the time for retries', async () => {
    store = open(LIMITS);
    const key = keyOf(await store.create(sampleDraft()));
    await server.pause();
    try {
      const [read, write] = await Promise.all([failureOf(store.get(key)), failureOf(store.update(key, countUp))]);
      expect([isRetryable(read.error), isRetryable(write.error)]).toEqual([true, true]);
      expect(read.ms).toBeLessThan(2 * LIMITS.commandTimeoutMs + BUSY_MS);
      expect(write.ms).toBeGreaterThan(LIMITS.retryForMs);
      expect(write.ms).toBeLessThan(LIMITS.retryForMs + LIMITS.commandTimeoutMs + BUSY_MS);
    } finally {
      server.resume();
    }
  });

  it('that stands still is told of once in the log, however many calls it fails, and once when it answers again', async () => {
    const [warn, log] = (['warn', 'log'] as const).map((level) => jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined));
    store = open(LIMITS);
    const key = keyOf(await store.create(sampleDraft()));
    await server.pause();
    const failures = await Promise.all(Array.from({ length: 20 }, () => failureOf(store.get(key))));
    server.resume();
    // No cause: the core logs whatever has one, once for each call.
    expect(failures.map(({ error }) => (error as Error).cause)).toEqual(failures.map(() => undefined));
    await until('it answers again', async () => (await failureOf(store.get(key))).error === undefined);
    const said = [warn!, log!].map((spy) =>
      spy.mock.calls.map(([message]) => String(message)).filter((text) => /Redis (did not reply|answers)/.test(text)),
    );
    expect(said).toEqual([
      [expect.stringMatching(/did not reply within 300 ms: calls that need it are rejected/)],
      ['Redis answers again'],
    ]);
    jest.restoreAllMocks();
  });

  it('that stands still does not make writers of one task wait for each other without end', async () => {
    store = open(LIMITS);
    const key = keyOf(await store.create(sampleDraft()));
    await server.pause();
    try {
      const failures = await Promise.all(Array.from({ length: 10 }, () => failureOf(store.update(key, countUp))));
      expect(failures.map(({ error }) => isRetryable(error))).toEqual(failures.map(() => true));
      expect(Math.max(...failures.map(({ ms }) => ms))).toBeLessThan(LIMITS.retryForMs + LIMITS.commandTimeoutMs + BUSY_MS);
    } finally {
      server.resume();
    }
  });
});

it('a server that became a replica is not written to, and the caller is told to come back', async () => {
  store = open(LIMITS);
  const key = keyOf(await store.create(sampleDraft()));
  const primary = await spawnRedisServer();
  try {
    await client.replicaof('127.0.0.1', primary.port);
    const { error, ms } = await failureOf(store.update(key, countUp));
    expect(isRetryable(error)).toBe(true);
    expect(ms).toBeLessThan(LIMITS.retryForMs + LIMITS.commandTimeoutMs + BUSY_MS);
  } finally {
    await primary.stop();
  }
});

it('what is no task under the key of one is an error that tells a client nothing', async () => {
  const draft = sampleDraft();
  const key = keyOf(draft);
  const calls = [() => store.get(key), () => store.view(key), () => store.update(key, countUp), () => store.create(draft)];
  await client.set(`p:${key}`, 'somebody else was here');
  for (const call of calls) {
    const { error } = await failureOf(call());
    expect(String(error)).toContain('is not a task');
    expect(String(error)).not.toContain('somebody');
    expect(error).not.toHaveProperty('code');
  }
  expect(await client.getdel(`p:${key}`)).toBe('somebody else was here');
  await client.rpush(`p:${key}`, 'somebody', 'else');
  for (const call of calls) {
    const { error } = await failureOf(call());
    expect(error).toMatchObject({ name: 'RedisRefusedError', message: expect.stringContaining('WRONGTYPE') as string });
    expect(error).not.toHaveProperty('code');
  }
  expect(await client.lrange(`p:${key}`, 0, -1)).toEqual(['somebody', 'else']);
});

const isNoTask = async (key: TaskKey) => {
  for (const call of [store.get(key), store.view(key)]) {
    const { error } = await failureOf(call);
    expect(String(error)).toContain('is not a task');
    expect(String(error)).not.toContain('secret-word');
  }
};

it.each([
  ['no JSON', (text: string) => text.replace('{', '{"secret-word')],
  ['no object', (text: string) => text.replace(/\{.*/, '"secret-word"')],
  ['no time', (text: string) => `${text.slice(0, 46)}secret-word..${text.slice(59)}`],
  ['a head alone', (text: string) => text.slice(0, 40)],
])('a task whose string was spoilt (%s) is an error that does not quote it', async (_what, spoil) => {
  const key = keyOf(await store.create(sampleDraft()));
  await client.set(`p:${key}`, spoil((await client.get(`p:${key}`))!));
  await isNoTask(key);
});

it.each([
  ['no JSON', { d: '{"secret-word' }],
  ['no object', { d: '"secret-word"' }],
  ['no time', { c: 'secret-word' }],
])('a task of format 1 whose hash was spoilt (%s) is an error that does not quote it', async (_what, fields) => {
  const golden = goldenTask('parked');
  await putGolden(client, 'p:', golden);
  await client.hset(`p:${golden.key}`, fields);
  await isNoTask(golden.key);
});

it('a task whose ledger was cut off is an error', async () => {
  const key = keyOf(await store.create(sampleDraft()));
  await client.append(`p:${key}`, '{"key":"secret-word"');
  expect(String((await failureOf(store.get(key))).error)).toContain('is not a task');
});

it('a task that a newer release wrote is left alone, by whoever wrote the version before as well', async () => {
  const draft = sampleDraft();
  await store.create(draft);
  const key = keyOf(draft);
  const newer = 'T003 {"shape":"unheard of"}';
  await client.set(`p:${key}`, newer);
  const entry = { key: 'step', kind: 'step', fingerprint: '', answered: true } as const;
  for (const work of [store.get(key), store.view(key), store.update(key, countUp), store.recordEntry(key, draft.run!, entry)])
    expect((await failureOf(work)).error).toHaveProperty('name', 'TaskFormatError');
  await expect(store.create(draft)).rejects.toHaveProperty('name', 'TaskAlreadyExistsError');
  expect(await client.get(`p:${key}`)).toBe(newer);
});

it('a hash in a newer format than those of hashes is left alone', async () => {
  const golden = goldenTask('parked');
  await putGolden(client, 'p:', golden);
  await client.hset(`p:${golden.key}`, { f: '2', v: '2', o: 'of-the-newer-release', d: '{"shape":"unheard of"}' });
  const before = await client.hgetall(`p:${golden.key}`);
  for (const work of [store.get(golden.key), store.view(golden.key), store.update(golden.key, countUp)])
    expect((await failureOf(work)).error).toHaveProperty('name', 'TaskFormatError');
  expect(await client.hgetall(`p:${golden.key}`)).toEqual(before);
});

it('a record that is too large is refused with its size, in bytes, and nothing is stored', async () => {
  const small = open({ maxRecordBytes: 2000 });
  try {
    const draft = sampleDraft({ arguments: { text: 'é'.repeat(1000) } });
    const { error } = await failureOf(small.create(draft));
    expect(error).toMatchObject({ name: 'TaskRecordTooLargeError', maxBytes: 2000 });
    expect((error as { bytes: number }).bytes).toBeGreaterThan(2000);
    expect(await client.exists(`p:${keyOf(draft)}`)).toBe(0);
    const record = await small.create(sampleDraft());
    const text = 'x'.repeat(2000);
    const end = small.update(keyOf(record), (current) => completed(current, { resultType: 'complete', content: [{ type: 'text', text }] }));
    expect((await failureOf(end)).error).toHaveProperty('name', 'TaskRecordTooLargeError');
    expect(await small.get(keyOf(record))).toEqual(record);
  } finally {
    await small.onApplicationShutdown();
  }
});

it('tells in no error, at whatever depth a log may look, what the task holds', async () => {
  const { error: refused } = await (async () => {
    const draft = sampleDraft({ arguments: { note: 'confidential-note' } });
    await client.rpush(`p:${keyOf(draft)}`, 'no task');
    return failureOf(store.create(draft));
  })();
  await client.config('SET', 'min-replicas-to-write', '1');
  const { error: passing } = await failureOf(open(LIMITS).create(sampleDraft({ arguments: { note: 'confidential-note' } })));
  expect((refused as Error).message).toMatch(/WRONGTYPE/);
  expect(passing).toBeInstanceOf(TaskStoreUnavailableError);
  expect((refused as Error).cause).toBeInstanceOf(Error);
  for (const error of [refused, passing]) {
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('confidential-note');
  }
});
