import { Injectable } from '@nestjs/common';
import { McpTool } from '@mocapi/core';
import { type RedisServer, spawnRedisServer, until } from '@mocapi/redis-harness';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { McpTasksRedisModule } from '@mocapi/tasks-redis';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import type { Redis } from 'ioredis';
import { readTaskString } from '../../support/task-string.js';

const TASKS = 40;
/** Outcomes are tried again after 0.1, 0.5 and 2.1 seconds, and then only after 8.5. */
const OUTAGE_MS = 2600;
/** A new connection is tried every 2 seconds at the latest, and what waits is spread over one more. */
const BACK_MS = 5500;

let open: () => void = () => undefined;
const gate = new Promise<void>((resolve) => (open = resolve));
let running = 0;

@Injectable()
class Tools {
  @McpTool({ description: 'Waits for the gate' })
  @McpTask()
  async wait(): Promise<string> {
    running += 1;
    await gate;
    return 'done';
  }
}

let server: RedisServer;
let testing: McpTestingApp;

beforeAll(async () => {
  server = await spawnRedisServer({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] });
  testing = await createMcpTestingApp({
    imports: [McpTasksRedisModule.forRoot({ url: server.url, keyPrefix: 'p:' }), McpTasksModule.forRoot()],
    providers: [Tools],
  });
}, 30_000);

afterAll(async () => {
  await testing?.close();
  await server.stop();
});

async function killedAndBack(): Promise<void> {
  const client = testing.client().withTasks();
  for (let task = 0; task < TASKS; task++) await client.callTool('wait');
  await until('all of them run', () => running === TASKS);
  expect(await server.kill()).toBe('SIGKILL');
  open();
  const killedAt = performance.now();
  await until('the outage was long enough', () => performance.now() - killedAt > OUTAGE_MS);
  await server.restart();
}

/** When each task was written last, by the clock of Redis; only those that are completed. */
async function endedAt(): Promise<readonly number[]> {
  const redis = server.client();
  const keys = (await redis.keys('p:*')).filter((key) => /^p:[\w-]{43}$/.test(key));
  const tasks = await Promise.all(keys.map((key) => read(redis, key)));
  return tasks.filter(({ document }) => document.status === 'completed').map(({ updatedAt }) => updatedAt);
}

/** Older releases store a task as a hash. */
async function read(redis: Redis, key: string): Promise<{ document: { status: string }; updatedAt: number }> {
  if ((await redis.type(key)) !== 'hash') return readTaskString((await redis.get(key))!);
  const { d, u } = await redis.hgetall(key);
  return { document: JSON.parse(d!) as { status: string }, updatedAt: Number(u) };
}

describe('D-3: what waits for Redis goes on when Redis is back', () => {
  it('outcomes are written as soon as it is, not all at once, and the outage costs one line of the log', async () => {
    await killedAndBack();
    const backAt = performance.now();
    await until(
      'it answers',
      async () =>
        (await server
          .client()
          .ping()
          .catch(() => '')) === 'PONG',
    );
    let ended: readonly number[] = [];
    const deadline = backAt + BACK_MS;
    while (performance.now() < deadline && ended.length < TASKS) ended = await endedAt();
    expect(ended).toHaveLength(TASKS);
    expect(Math.max(...ended) - Math.min(...ended)).toBeGreaterThan(150);
    const lines = testing.logs.filter(({ message }) => /outcome/i.test(message));
    expect(lines).toHaveLength(1);
    expect(testing.logs.filter(({ level }) => level === 'error')).toEqual([]);
  }, 30_000);
});
