import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpArg, McpContext, McpPrincipalSource, McpTool, type McpPrincipal, type McpToolContext } from '@mocapi/core';
import { createAclUser, spawnRedisServer, type RedisServer } from '@mocapi/redis-harness';
import { McpTask, McpTasksModule, taskKeyOf } from '@mocapi/tasks';
import { McpTasksRedisModule, type RecordEncryptionOptions } from '@mocapi/tasks-redis';
import { accept, answerInput, createMcpTestingApp, pollTask, type McpTestClient, type McpTestingApp } from '@mocapi/testing';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { documentedRules } from '../support/documented-acl.js';

// Whole applications, several of them in a test.
jest.setTimeout(30_000);

const ARGUMENT = 'argument-zebra-4711';
const ANSWER = 'answer-giraffe-4712';
const RESULT = 'result-ostrich-4713';
const STEP = 'step-panther-4714';
const NOTE = 'note-leopard-4715';
const TOKEN = 'bearer-gazelle-4716';
const SECRETS = [ARGUMENT, ANSWER, RESULT, STEP, NOTE];

@Injectable()
class Tools {
  @McpTool({ description: 'x' })
  @McpTask()
  async open(@McpArg('name') name: string, @McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.step('look', () => STEP);
    ctx.progress(1, 2, NOTE);
    const answer = await ctx.elicit('word', { message: `The word for ${name}?`, schema: z.object({ word: z.string() }) });
    return answer.action === 'accept' ? RESULT : 'nothing';
  }
}

class BearerSource extends McpPrincipalSource {
  resolve(request: { headers: Record<string, unknown> }): McpPrincipal | undefined {
    return request.headers['authorization'] === `Bearer ${TOKEN}` ? { id: 'ann', claims: { role: 'owner' } } : undefined;
  }
}

let server: RedisServer;
let redis: Redis;
const opened: McpTestingApp[] = [];

beforeAll(async () => {
  server = await spawnRedisServer();
  redis = server.client();
});
afterAll(() => server.stop());
afterEach(async () => {
  await Promise.all(opened.splice(0).map((testing) => testing.close()));
  await redis.flushall();
});

async function boot(encryption?: RecordEncryptionOptions, url = server.url): Promise<McpTestingApp> {
  const redisModule = McpTasksRedisModule.forRoot({ url, ...(encryption ? { encryption } : {}) });
  const testing = await createMcpTestingApp({
    imports: [redisModule, McpTasksModule.forRoot()],
    providers: [Tools],
    options: { providers: [{ provide: McpPrincipalSource, useClass: BearerSource }] },
  });
  opened.push(testing);
  return testing;
}

const clientOf = (testing: McpTestingApp): McpTestClient =>
  testing.client({ headers: { authorization: `Bearer ${TOKEN}` }, capabilities: { elicitation: { form: {} } } }).withTasks();

const getTask = (testing: McpTestingApp, taskId: string) => clientOf(testing).request('tasks/get', { taskId });

/** A task that has asked, was answered and has ended. Returns its id, and all that Redis held, or announced, before and after the answer. */
async function live(testing: McpTestingApp): Promise<{ readonly taskId: string; readonly held: string }> {
  const listener = server.client();
  const announced: string[] = [];
  listener.on('pmessage', (...message: string[]) => announced.push(message.join(' ')));
  await listener.psubscribe('*');
  const client = clientOf(testing);
  const { result } = await client.callTool('open', { name: ARGUMENT });
  const taskId = result!.taskId!;
  expect(await pollTask(client, taskId, { until: ({ status }) => status !== 'working' })).toMatchObject({ status: 'input_required' });
  const parked = await everything();
  await answerInput(client, { taskId }, { word: accept({ word: ANSWER }) });
  expect(await pollTask(client, taskId)).toMatchObject({ status: 'completed', result: { content: [{ text: RESULT }] } });
  return { taskId, held: [parked, await everything(), ...announced].join('\n') };
}

/** The names and contents of all keys of the server, of whatever type. */
async function everything(): Promise<string> {
  const contents = (await redis.keys('*')).map(async (key) => {
    const type = await redis.type(key);
    if (type === 'string') return [key, await redis.get(key)];
    if (type === 'set') return [key, ...(await redis.smembers(key))];
    if (type === 'zset') return [key, ...(await redis.zrange(key, '0', '-1'))];
    if (type === 'none') return [key]; // It went meanwhile: a set of what is run, with the last that ran.
    throw new Error(`The scan does not know ${type}, the type of ${key}`);
  });
  return (await Promise.all(contents)).flat().join('\n');
}

const found = (held: string, texts: readonly string[]): readonly string[] => texts.filter((text) => held.includes(text));
const newKeys = (...ids: string[]) => ids.map((id) => ({ id, key: randomBytes(32) }));

describe('what Redis holds of a task', () => {
  it('is in clear without encryption, but the token of the caller is not there', async () => {
    const { held, taskId } = await live(await boot());
    expect(found(held, SECRETS)).toEqual(SECRETS);
    expect(found(held, [TOKEN])).toEqual([]);
    expect(held).toContain(taskKeyOf({ id: 'ann' }, taskId));
  });

  it('tells nothing of arguments, questions, answers, steps, progress, result and caller with encryption', async () => {
    const { held, taskId } = await live(await boot({ keys: newKeys('a') }));
    expect(held).toContain(taskKeyOf({ id: 'ann' }, taskId));
    expect(found(held, [...SECRETS, TOKEN, taskId, 'The word for', 'owner', 'input_required'])).toEqual([]);
  });
});

describe('what the log is told', () => {
  it('of a command that Redis refuses names the reason, and nothing of what was sent', async () => {
    const rules = documentedRules('mocapi:tasks:').filter((rule) => rule !== '+set');
    const url = await createAclUser(redis, server.url, rules);
    const testing = await boot(undefined, url);
    expect((await clientOf(testing).callTool('open', { name: ARGUMENT })).error).toMatchObject({ code: -32603 });
    const logged = JSON.stringify(testing.logs);
    expect(logged).toMatch(/Redis refused a command: .*can't run this command/);
    expect(found(logged, [ARGUMENT, TOKEN, new URL(url).password])).toEqual([]);
  });
});

describe('a task at rest', () => {
  it('cannot be read without keys, and the log says that they are missing', async () => {
    const { taskId } = await live(await boot({ keys: newKeys('a') }));
    const without = await boot();
    const refused = await getTask(without, taskId);
    expect(refused.error).toMatchObject({ code: -32603 });
    expect(refused.raw).not.toMatch(/encrypt|keys/);
    expect(JSON.stringify(without.logs)).toMatch(/set encryption\.keys/);
  });

  it('can be read with the new keys after they were changed, and not with others', async () => {
    const [old, fresh, foreign] = [newKeys('old'), newKeys('new'), newKeys('foreign')];
    const { taskId } = await live(await boot({ keys: old }));
    const rotated = await getTask(await boot({ keys: [...fresh, ...old] }), taskId);
    expect(rotated.result).toMatchObject({ status: 'completed' });
    const refusing = await boot({ keys: foreign });
    const refused = await getTask(refusing, taskId);
    expect(refused.error).toMatchObject({ code: -32603 });
    expect(refused.raw).not.toMatch(/encrypt|sealed|old/);
    expect(refusing.logs).toContainEqual(
      expect.objectContaining({ level: 'error', details: expect.stringMatching(/SealedRecordError.*"old"/) }),
    );
  });

  it('is not taken for another one where whoever can write to Redis puts it', async () => {
    const keys = newKeys('a');
    const writing = await boot({ keys });
    const [one, other] = [await live(writing), await live(writing)];
    const keyOf = ({ taskId }: { taskId: string }) => `mocapi:tasks:${taskKeyOf({ id: 'ann' }, taskId)}`;
    expect(await redis.copy(keyOf(one), keyOf(other), 'REPLACE')).toBe(1);
    // A node that has read neither before.
    const testing = await boot({ keys });
    expect((await getTask(testing, one.taskId)).result).toMatchObject({ status: 'completed' });
    expect((await getTask(testing, other.taskId)).error).toMatchObject({ code: -32603 });
    expect(testing.logs).toContainEqual(expect.objectContaining({ details: expect.stringMatching(/cannot be opened/) }));
  });

  it('from before encryption is read with acceptClear alone', async () => {
    const { taskId } = await live(await boot());
    expect((await getTask(await boot({ keys: newKeys('a') }), taskId)).error).toMatchObject({ code: -32603 });
    expect((await getTask(await boot({ keys: newKeys('a'), acceptClear: true }), taskId)).result).toMatchObject({ status: 'completed' });
  });
});
