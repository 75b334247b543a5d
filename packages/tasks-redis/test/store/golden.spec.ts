import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpTool, type McpToolContext } from '@mocapi/core';
import { deriveKeys } from '@mocapi/core/internal';
import { redisUrl, until } from '@mocapi/redis-harness';
import { McpTask, McpTasksModule, type TaskRecord } from '@mocapi/tasks';
import { KeyRingCipher, McpTasksRedisModule, RECORD_KEYS, type RedisTaskStore } from '@mocapi/tasks-redis';
import { accept, answerInput, createMcpTestingApp, pollTask, type McpTestingApp } from '@mocapi/testing';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { GOLDEN_TASKS, goldenTask, putGolden } from '../support/golden.js';
import { countUp, freshPrefix, openStore } from '../support/open-store.js';

/** The tool whose tasks the golden ones are; its last step now ends. */
@Injectable()
class Tools {
  @McpTool({ description: 'Looks, asks, then answers' })
  @McpTask({ recover: 'replay' })
  async ask(@McpArg('name') name: string, @McpContext() ctx: McpToolContext): Promise<string> {
    const looked = await ctx.step('look', () => ({ seen: `not ${name}` }));
    const answer = await ctx.elicit('word', { message: `The word for ${name}?`, schema: z.object({ word: z.string() }) });
    if (answer.action !== 'accept') throw new Error('No word');
    if (answer.content.word === 'wait') await ctx.step('waited', () => null);
    await ctx.step('end', () => 'recorded by this release');
    return `${looked.seen} ${answer.content.word}`;
  }
}

const cipher = new KeyRingCipher({
  keys: deriveKeys([{ id: 'gold', key: Buffer.alloc(32, 7).toString('base64') }], RECORD_KEYS),
  acceptClear: false,
});

let prefix: string;
let client: Redis;
const stores: RedisTaskStore[] = [];
const apps: McpTestingApp[] = [];

beforeEach(() => {
  prefix = freshPrefix();
  client = new Redis(redisUrl());
});
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
  await Promise.all(stores.splice(0).map((store) => store.onApplicationShutdown()));
  await client.quit();
});

async function open(isEncrypted: boolean): Promise<RedisTaskStore> {
  const store = await openStore({ kind: 'url', url: redisUrl() }, { prefix, ...(isEncrypted ? { cipher } : {}) });
  stores.push(store);
  return store;
}

async function boot(): Promise<McpTestingApp> {
  const app = await createMcpTestingApp({
    imports: [McpTasksRedisModule.forRoot({ url: redisUrl(), keyPrefix: prefix }), McpTasksModule.forRoot({ lease: 'PT2S' })],
    providers: [Tools],
  });
  apps.push(app);
  return app;
}

const clientOf = (app: McpTestingApp) => app.client({ capabilities: { elicitation: { form: {} } } }).withTasks();

describe.each(GOLDEN_TASKS.map((task) => [task.state, task.encrypted ? 'encrypted' : 'in clear', task] as const))(
  'a task that format 1 left %s, %s',
  (state, _how, golden) => {
    it('is read, whole and without its ledger', async () => {
      const fields = await putGolden(client, prefix, golden);
      const store = await open(golden.encrypted);
      const text = golden.encrypted ? cipher.open(golden.key, fields.d) : fields.d;
      const times = { createdAt: Number(fields.c), lastUpdatedAt: Number(fields.u), version: Number(fields.v) };
      expect(await store.get(golden.key)).toEqual({ ...(JSON.parse(text) as object), ...times });
      expect(await store.view(golden.key)).toMatchObject({ taskId: golden.taskId, ...times });
    });

    it('is changed as older nodes change it, so that they can go on with it', async () => {
      const fields = await putGolden(client, prefix, golden);
      const store = await open(golden.encrypted);
      const before = await store.get(golden.key);
      const after = await store.update(golden.key, countUpAnyway);
      expect(after).toMatchObject({ statusMessage: '1', version: before!.version + 1 });
      const { v, o, d, u: _u, ...rest } = await client.hgetall(`${prefix}${golden.key}`);
      const { v: _v, o: _o, d: _d, u: _before, ...same } = fields;
      expect(rest).toEqual(same);
      expect([v, o === fields.o]).toEqual([String(Number(fields.v) + 1), false]);
      const text = golden.encrypted ? cipher.open(golden.key, d!) : d!;
      expect(JSON.parse(text)).toMatchObject({ statusMessage: '1', ledger: before!.ledger });
      expect(await client.pttl(`${prefix}${golden.key}`)).toBeGreaterThan(0);
    });

    it('takes steps of the run that holds it, and of no other', async () => {
      await putGolden(client, prefix, golden);
      const store = await open(golden.encrypted);
      const { run, ledger, version } = (await store.get(golden.key))!;
      const entry = { key: 'new', kind: 'step', fingerprint: '', answered: true, response: 1 } as const;
      expect(await store.recordEntry(golden.key, { id: 'another', fence: 5 }, entry)).toBe(false);
      expect(await store.recordEntry(golden.key, run ?? { id: 'none', fence: 1 }, entry)).toBe(run !== undefined);
      const after = await store.get(golden.key);
      expect([after?.ledger, after?.version]).toEqual(run ? [[...ledger, entry], version + 1] : [ledger, version]);
      expect(run !== undefined).toBe(state === 'working');
    });

    it('is deleted', async () => {
      await putGolden(client, prefix, golden);
      const store = await open(golden.encrypted);
      await store.delete(golden.key);
      expect(await client.exists(`${prefix}${golden.key}`)).toBe(0);
      expect(await store.get(golden.key)).toBeUndefined();
    });
  },
);

/** A change that is made whatever the status. */
function countUpAnyway(record: TaskRecord): TaskRecord {
  return countUp({ ...record, statusMessage: '0' });
}

it('a watcher hears of changes to a task of format 1', async () => {
  const golden = goldenTask('parked');
  await putGolden(client, prefix, golden);
  const [store, peer] = [await open(false), await open(false)];
  const heard: number[] = [];
  store.changeFeed.watch(golden.key, (version) => heard.push(version));
  const { version } = (await peer.get(golden.key))!;
  await until('it is told what is stored', () => heard.includes(version));
  await peer.update(golden.key, countUp);
  await until('it is told the change', () => heard.at(-1) === version + 1);
});

it('a task that format 1 left parked is answered, goes on with its ledger, and ends', async () => {
  const golden = goldenTask('parked');
  await putGolden(client, prefix, golden);
  const asking = clientOf(await boot());
  expect(await pollTask(asking, golden.taskId, { until: () => true })).toMatchObject({
    status: 'input_required',
    statusMessage: '1/2: asked',
  });
  await answerInput(asking, { taskId: golden.taskId }, { word: accept({ word: 'yes' }) });
  expect(await pollTask(asking, golden.taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: '“Zoë 🎬” yes' }] } });
  expect(await client.type(`${prefix}${golden.key}`)).toBe('hash');
});

it('a task that format 1 left at work is taken over from its node, goes on with its ledger, and ends', async () => {
  const golden = goldenTask('working');
  const { d } = await putGolden(client, prefix, golden);
  const { owner } = (JSON.parse(d) as TaskRecord).run!;
  await client.sadd(`${prefix}run:${owner}`, golden.key);
  await client.zadd(`${prefix}nodes`, '-inf', owner);
  const polling = clientOf(await boot());
  expect(await pollTask(polling, golden.taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: '“Zoë 🎬” wait' }] } });
  expect(await client.hget(`${prefix}${golden.key}`, 'd')).toContain('recorded by this release');
}, 20_000);
