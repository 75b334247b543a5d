import { jest } from '@jest/globals';
import {
  createAclUser,
  infoOf,
  spawnRedisServer,
  startRedisCluster,
  until,
  type RedisServer,
  type RunningRedisCluster,
} from '@mocapi/redis-harness';
import { McpTool } from '@mocapi/core';
import { cancelled, McpTask, McpTasksModule, newTaskId, taskKeyOf } from '@mocapi/tasks';
import { McpTasksRedisModule, type RedisSource } from '@mocapi/tasks-redis';
import {
  createMcpTestingApp,
  pollTask,
  sampleDraft,
  taskChangeFeedContract,
  taskRunIndexContract,
  taskStoreContract,
} from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { commandsOf, createUserOn, documentedRules } from '../support/documented-acl.js';
import { goldenTask, putGolden } from '../support/golden.js';
import { connect, contractSubject, openStore } from '../support/open-store.js';

// Contracts in real time, on a machine that may be busy.
jest.setTimeout(30_000);

/** Where the contracts keep what they keep. */
const PREFIX = 'test:';

describe('as the user that the guide describes', () => {
  let server: RedisServer;
  let url: string;
  beforeAll(async () => {
    server = await spawnRedisServer({ args: ['--appendonly', 'yes'] });
    url = await createAclUser(server.client(), server.url, documentedRules(PREFIX));
    await server.client().config('RESETSTAT');
  });
  afterAll(() => server.stop());

  const denials = async (): Promise<readonly unknown[]> => (await server.client().call('ACL', 'LOG')) as unknown[];

  const subject = contractSubject('RedisTaskStore', () => connect({ kind: 'url', url }), 'real');
  taskStoreContract({ describe, it }, subject);
  taskChangeFeedContract({ describe, it }, subject);
  taskRunIndexContract({ describe, it }, subject);

  it('an application boots and runs a task', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' }) @McpTask() echo(): string {
        return 'echoed';
      }
    }
    const redis = McpTasksRedisModule.forRoot({ url, keyPrefix: `${PREFIX}app:` });
    const testing = await createMcpTestingApp({ imports: [redis, McpTasksModule.forRoot()], providers: [Tools] });
    const client = testing.client().withTasks();
    const { result } = await client.callTool('echo');
    expect(await pollTask(client, result!.taskId!)).toMatchObject({ status: 'completed' });
    await testing.close();
  });

  it('a task may lose its end', async () => {
    const store = await openStore({ kind: 'url', url }, { prefix: PREFIX, allowUnlimitedTtl: true });
    const { taskId, principal } = await store.create(sampleDraft());
    const record = await store.update(taskKeyOf(principal, taskId), (task) => ({ ...task, ttlMs: null }));
    expect(record).toMatchObject({ ttlMs: null });
    await store.onApplicationShutdown();
  });

  it('a task is cancelled though Redis is full, and stale entries are swept', async () => {
    const store = await openStore({ kind: 'url', url }, { prefix: PREFIX });
    const { taskId, principal } = await store.create(sampleDraft());
    const key = taskKeyOf(principal, taskId);
    const session = await store.runIndex.join();
    await server.client().sadd(`${PREFIX}run:${session}`, key);
    await server.client().config('SET', 'maxmemory', '1');
    expect(await store.update(key, (task) => cancelled(task))).toMatchObject({ status: 'cancelled' });
    for (let beat = 0; beat < 4; beat++) expect(await store.runIndex.beat(session)).toBe(true);
    await server.client().config('SET', 'maxmemory', '0');
    await until('it is swept', async () => (await server.client().exists(`${PREFIX}run:${session}`)) === 0);
    await store.runIndex.leave(session);
    await store.onApplicationShutdown();
  });

  it('a task that an older release created is read, changed, and cancelled though Redis is full', async () => {
    const [parked, working] = [goldenTask('parked'), goldenTask('working')];
    for (const golden of [parked, working]) await putGolden(server.client(), PREFIX, golden);
    const store = await openStore({ kind: 'url', url }, { prefix: PREFIX });
    const heard: number[] = [];
    store.changeFeed.watch(parked.key, (version) => heard.push(version));
    await until('the watcher is told what is stored', () => heard.length > 0);
    expect(await store.update(parked.key, (task) => ({ ...task, statusMessage: 'changed' }))).toMatchObject({ statusMessage: 'changed' });
    await server.client().config('SET', 'maxmemory', '1');
    expect(await store.update(working.key, (task) => cancelled(task))).toMatchObject({ status: 'cancelled' });
    await server.client().config('SET', 'maxmemory', '0');
    await store.delete(parked.key);
    await store.onApplicationShutdown();
  });

  it('nothing was denied but CONFIG, which the boot check can do without', async () => {
    const denied = (await denials()).map((entry) => String((entry as unknown[])[(entry as unknown[]).indexOf('object') + 1]));
    expect(new Set(denied)).toEqual(new Set(['config|get']));
  });

  it('every command that the user may send was sent', async () => {
    const stats = await infoOf(server.client(), 'commandstats');
    const sent = new Set([...stats.keys()].map((name) => name.replace('cmdstat_', '')));
    expect(commandsOf(documentedRules(PREFIX)).filter((command) => !sent.has(command))).toEqual([]);
  });

  it('the keys of others are out of reach', async () => {
    const { commands, close } = await connect({ kind: 'url', url });
    await expect(commands.get('other:key')).rejects.toThrow(/NOPERM/);
    await expect(commands.publish('other:channel', 'v')).rejects.toThrow(/NOPERM/);
    await close();
  });
});

describe('as the user that the guide describes for a cluster', () => {
  let cluster: RunningRedisCluster;
  let source: RedisSource;
  beforeAll(async () => {
    cluster = await startRedisCluster();
    const redisOptions = await createUserOn(cluster.nodes, documentedRules(PREFIX, true));
    source = { kind: 'cluster', nodes: cluster.nodes, options: { redisOptions } };
  }, 30_000);
  afterAll(() => cluster.stop());

  it('tasks are created, changed, heard of, indexed and removed', async () => {
    const store = await openStore(source, { prefix: PREFIX });
    const session = await store.runIndex.join();
    const drafts = Array.from({ length: 12 }, () => sampleDraft({ taskId: newTaskId() }));
    for (const draft of drafts) {
      const key = taskKeyOf(draft.principal, draft.taskId);
      await store.runIndex.markRunning(session, key);
      const { version } = await store.create(draft);
      const heard = new Promise<number>((resolve) => {
        const stop = store.changeFeed.watch(key, (told) => {
          if (told <= version) return;
          stop();
          resolve(told);
        });
      });
      await store.update(key, (record) => ({ ...record, statusMessage: 'changed' }));
      expect(await heard).toBeGreaterThan(version);
      await store.delete(key);
      expect(await store.get(key)).toBeUndefined();
      await store.runIndex.unmark(session, key);
    }
    expect(await store.runIndex.runningOf(session, 20)).toEqual([]);
    await store.runIndex.leave(session);
    expect(await store.runIndex.sessions()).toContainEqual({ session, sign: undefined });
    expect(await store.runIndex.bury(session, '1')).toBe(true);
    await store.runIndex.drop(session);
    await store.onApplicationShutdown();
  });
});
