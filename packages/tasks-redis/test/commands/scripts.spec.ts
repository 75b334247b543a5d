import { redisUrl } from '@mocapi/redis-harness';
import { Redis } from 'ioredis';
import { RedisScript, type RedisScriptName } from '../../src/commands/redis-script.js';
import { freshPrefix } from '../support/open-store.js';

let client: Redis;
let key: string;

beforeAll(() => {
  client = new Redis(redisUrl());
});
beforeEach(() => {
  key = `${freshPrefix()}task`;
});
afterEach(() => client.del(key));
afterAll(() => client.quit());

const run = async (name: RedisScriptName, ...args: (string | number)[]) =>
  (await RedisScript.load(name).run(client, key, args)) as [number, ...(string | null)[]];
const create = (op: string, { document = '{}', ttl = '60000' } = {}) => run('create', 1, document, ttl, op, 'account', '');
const update = (expected: readonly [version: number, op: string], op: string, { document = '{}', ttl = '60000' } = {}) =>
  run('update', ...expected, 1, document, ttl, op, `${key}:c`, '', '');
const current = () => client.hmget(key, 'f', 'v', 'd', 'c', 'u', 'o');

describe('create.lua', () => {
  it('creates once however often it is sent, and replies the task as it is by then', async () => {
    await create('op-1', { document: '{"n":1}' });
    expect(await create('op-1', { document: '{"n":1}' })).toEqual([2, ...(await current())]);
    await update([1, 'op-1'], 'op-2', { document: '{"n":2}' });
    const before = await current();
    expect(await create('op-1', { document: '{"n":1}' })).toEqual([2, ...before]);
    expect(await current()).toEqual(before);
    expect(before.slice(0, 3)).toEqual(['1', '2', '{"n":2}']);
  });

  it('leaves the task of another operation untouched', async () => {
    await create('op-1', { document: '{"n":1}' });
    const before = await current();
    expect(await create('op-2', { document: '{"n":2}' })).toEqual([0]);
    expect(await current()).toEqual(before);
  });
});

describe('update.lua', () => {
  it('writes once however often it is sent, and replies the time of that write', async () => {
    await create('op-1');
    const first = await update([1, 'op-1'], 'op-2', { document: '{"n":2}' });
    const before = await current();
    expect(await update([1, 'op-1'], 'op-2', { document: '{"n":2}' })).toEqual(first);
    expect(await current()).toEqual(before);
    expect(first).toEqual([1, before[4]]);
  });

  it('refuses the expected version when another operation made it, as after a failover', async () => {
    await create('op-1');
    await update([1, 'op-1'], 'op-of-the-new-primary', { document: '{"n":2}' });
    const before = await current();
    // Version 2 was once another record, which the failover lost; whoever read that must not replace this.
    expect(await update([2, 'op-that-was-lost'], 'op-3', { document: '{"n":3}' })).toEqual([2, ...before]);
    expect(await current()).toEqual(before);
  });

  it('replies the current task to who expected another, and that it is gone to who comes too late', async () => {
    await create('op-1');
    await update([1, 'op-1'], 'op-2');
    expect(await update([1, 'op-1'], 'op-3')).toEqual([2, ...(await current())]);
    await client.del(key);
    expect(await update([2, 'op-2'], 'op-4')).toEqual([0]);
    expect(await client.exists(key)).toBe(0);
  });

  it('announces the new version, once for each write', async () => {
    const listener = new Redis(redisUrl());
    try {
      const heard: string[] = [];
      listener.on('message', (_channel, text: string) => heard.push(text));
      await listener.subscribe(`${key}:c`);
      await create('op-1');
      for (const [version, op] of [
        [1, 'op-1'],
        [1, 'op-1'],
        [2, 'op-2'],
      ] as const)
        await update([version, op], `op-${version + 1}`);
      await client.publish(`${key}:c`, 'end');
      while (heard.at(-1) !== 'end') await listener.ping();
      expect(heard).toEqual(['2', '3', 'end']);
    } finally {
      await listener.quit();
    }
  });

  it('keeps fields that this release does not know', async () => {
    await create('op-1');
    await client.hset(key, 'later', 'yes');
    await update([1, 'op-1'], 'op-2');
    expect(await client.hget(key, 'later')).toBe('yes');
  });

  it('moves the expiry with the ttl, and takes it away where there is none', async () => {
    await create('op-1', { ttl: '60000' });
    const createdAt = Number(await client.hget(key, 'c'));
    expect(await isAbout(createdAt + 60_000)).toBe(true);
    await update([1, 'op-1'], 'op-2', { ttl: '90000' });
    expect(await isAbout(createdAt + 90_000)).toBe(true);
    await update([2, 'op-2'], 'op-3', { ttl: '' });
    expect(await client.pttl(key)).toBe(-1);
    await update([3, 'op-3'], 'op-4', { ttl: '90000' });
    expect(await isAbout(createdAt + 90_000)).toBe(true);
  });
});

/** Whether the key expires at `time`, as nearly as Redis before 7 tells. */
async function isAbout(time: number): Promise<boolean> {
  const [[, left], [, [seconds, micros]]] = (await client.multi().pttl(key).time().exec()) as [[null, number], [null, [string, string]]];
  return Math.abs(Number(seconds) * 1000 + Number(micros) / 1000 + left - time) <= 2;
}

it('a script that the server was made to forget runs all the same', async () => {
  await create('op-1');
  await client.script('FLUSH');
  expect((await update([1, 'op-1'], 'op-2'))[0]).toBe(1);
});
