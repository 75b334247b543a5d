import { redisUrl } from '@mocapi/redis-harness';
import { Redis } from 'ioredis';
import { RedisScript, type RedisScriptName } from '../../src/commands/redis-script.js';
import { readTaskString } from '../../../../test/support/task-string.js';
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

const NO_RUN = '------------';
const RUN = 'run-1.......';
const MOST = 1_000_000;
/** An operation id has 16 characters. */
const op = (name: string) => name.padEnd(16, '.');
const run = async (name: RedisScriptName, ...args: (string | number)[]) =>
  (await RedisScript.load(name).run(client, key, args)) as [number, ...(string | null)[]];

const create = (name: string, { document = '{}', ttl = '60000', stamp = RUN } = {}) =>
  run('create', op(name), document, '', ttl, stamp, document.length, '');
const update = (
  [version, before]: readonly [number, string],
  name: string,
  { document = '{}', entries = '', ledger = 'keep', ttl = '60000', stamp = RUN, grace = '' } = {},
) => run('update', version, op(before), op(name), document, entries, ledger, ttl, stamp, 7, grace, '');
const record = (name: string, entry: string, { stamp = RUN, most = MOST } = {}) =>
  run('record', stamp, `${entry}\n`, entry.length, most, op(name), '');
const current = () => client.get(key);
const stored = async () => readTaskString((await current())!);

describe('create.lua', () => {
  it('creates once however often it is sent, and replies the task as it is by then', async () => {
    await create('op-1', { document: '{"n":1}' });
    expect(await create('op-1', { document: '{"n":1}' })).toEqual([2, await current()]);
    await update([1, 'op-1'], 'op-2', { document: '{"n":2}' });
    const before = await current();
    expect(await create('op-1', { document: '{"n":1}' })).toEqual([2, before]);
    expect(await current()).toEqual(before);
    expect(await stored()).toMatchObject({ format: 2, version: 2, document: { n: 2 } });
  });

  it('leaves the task of another operation untouched', async () => {
    await create('op-1', { document: '{"n":1}' });
    const before = await current();
    expect(await create('op-2', { document: '{"n":2}' })).toEqual([0]);
    expect(await current()).toEqual(before);
  });

  it('leaves a task of an older release untouched while it lives', async () => {
    await client.hset(key, { v: '1', x: String(Date.now() + 60_000) });
    expect(await create('op-1')).toEqual([0]);
    await client.hset(key, { x: '1' });
    expect(await create('op-1')).toEqual([1, expect.any(String)]);
  });
});

describe('update.lua', () => {
  it('writes once however often it is sent, and replies the time of that write', async () => {
    await create('op-1');
    const first = await update([1, 'op-1'], 'op-2', { document: '{"n":2}', entries: '{"key":"a"}\n' });
    const before = await current();
    expect(await update([1, 'op-1'], 'op-2', { document: '{"n":2}', entries: '{"key":"a"}\n' })).toEqual(first);
    expect(await current()).toEqual(before);
    expect(first).toEqual([1, String((await stored()).updatedAt)]);
  });

  it('refuses the expected version when another operation made it, as after a failover', async () => {
    await create('op-1');
    await update([1, 'op-1'], 'op-new-primary', { document: '{"n":2}' });
    const before = await current();
    // Version 2 was once another record, which the failover lost; whoever read that must not replace this.
    expect(await update([2, 'op-lost'], 'op-3', { document: '{"n":3}' })).toEqual([2, before]);
    expect(await current()).toEqual(before);
  });

  it('replies the current task to who expected another, and that it is gone to who comes too late', async () => {
    await create('op-1');
    await update([1, 'op-1'], 'op-2');
    expect(await update([1, 'op-1'], 'op-3')).toEqual([2, await current()]);
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
      for (const [version, name] of [
        [1, 'op-1'],
        [1, 'op-1'],
        [2, 'op-2'],
      ] as const)
        await update([version, name], `op-${version + 1}`);
      for (let times = 0; times < 2; times++) await record('op-4', '{"key":"a"}');
      await client.publish(`${key}:c`, 'end');
      while (heard.at(-1) !== 'end') await listener.ping();
      expect(heard).toEqual(['2', '3', '4', 'end']);
    } finally {
      await listener.quit();
    }
  });

  it('keeps the ledger where it stands, whatever becomes of the document', async () => {
    await create('op-1', { document: '{"n":1}' });
    const entries = ['{"key":"a"}', '{"key":"b"}'];
    await update([1, 'op-1'], 'op-2', { document: '', entries: `${entries[0]}\n` });
    expect(await stored()).toMatchObject({ document: { n: 1 }, entries: [{ key: 'a' }] });
    // Longer, longer still, shorter; with another entry and without; held by a run, and by none.
    const documents = ['longer', 'longer'.repeat(100), 's', 'rest'].map((text) => JSON.stringify({ text }));
    for (const [index, document] of documents.entries()) {
      const stamp = index === 3 ? NO_RUN : RUN;
      await update([index + 2, `op-${index + 2}`], `op-${index + 3}`, { document, stamp, entries: index === 1 ? `${entries[1]}\n` : '' });
      const expected = entries.slice(0, index > 0 ? 2 : 1).map((entry) => JSON.parse(entry) as object);
      expect(await stored()).toMatchObject({ version: index + 3, document: JSON.parse(document) as object, entries: expected });
    }
    // At rest nothing is left of the room for growth.
    expect(await current()).toContain(`\n${documents[3]}\n${entries.join('\n')}\n`);
  });

  it('drops the entries that were there, for those that are given', async () => {
    await create('op-1');
    await record('op-2', '{"key":"a"}');
    await update([2, 'op-2'], 'op-3', { entries: '{"key":"b"}\n', ledger: 'drop' });
    expect(await stored()).toMatchObject({ version: 3, entries: [{ key: 'b' }] });
    await update([3, 'op-3'], 'op-4', { document: '', ledger: 'drop' });
    expect(await stored()).toMatchObject({ version: 4, document: {}, entries: [] });
  });

  it('moves the expiry with the ttl, and takes it away where there is none', async () => {
    await create('op-1', { ttl: '60000' });
    const { createdAt } = await stored();
    expect(await isAbout(createdAt + 60_000)).toBe(true);
    await update([1, 'op-1'], 'op-2', { ttl: '90000' });
    expect(await isAbout(createdAt + 90_000)).toBe(true);
    await update([2, 'op-2'], 'op-3', { ttl: '' });
    expect(await client.pttl(key)).toBe(-1);
    await update([3, 'op-3'], 'op-4', { ttl: '90000' });
    expect(await isAbout(createdAt + 90_000)).toBe(true);
  });

  it('keeps the expiry however it writes', async () => {
    await create('op-1', { ttl: '60000' });
    const { createdAt } = await stored();
    await record('op-2', '{"key":"a"}');
    await update([2, 'op-2'], 'op-3', { document: JSON.stringify({ text: 'x'.repeat(1000) }) });
    await update([3, 'op-3'], 'op-4', { document: '{}' });
    expect(await isAbout(createdAt + 60_000)).toBe(true);
  });
});

describe('record.lua', () => {
  it('adds an entry once however often it is sent, and touches nothing else', async () => {
    await create('op-1', { document: '{"n":1}' });
    const first = await record('op-2', '{"key":"a"}');
    expect(await record('op-2', '{"key":"a"}')).toEqual(first);
    expect(first).toEqual([1, String((await stored()).updatedAt), '2']);
    expect(await stored()).toMatchObject({ version: 2, op: op('op-2'), document: { n: 1 }, entries: [{ key: 'a' }] });
    await record('op-3', '{"key":"b"}');
    expect(await stored()).toMatchObject({ version: 3, document: { n: 1 }, entries: [{ key: 'a' }, { key: 'b' }] });
  });

  it('refuses who does not hold the task, and whoever comes too late', async () => {
    await create('op-1');
    const before = await current();
    expect(await record('op-2', '{"key":"a"}', { stamp: 'run-2.......' })).toEqual([2]);
    expect(await current()).toBe(before);
    await update([1, 'op-1'], 'op-2', { stamp: NO_RUN });
    expect(await record('op-3', '{"key":"a"}')).toEqual([2]);
    await client.del(key);
    expect(await record('op-4', '{"key":"a"}')).toEqual([0]);
    expect(await client.exists(key)).toBe(0);
  });

  it('refuses what makes the task too large', async () => {
    await create('op-1');
    const before = await current();
    expect(await record('op-2', '{"key":"a"}', { most: 12 })).toEqual([3, '13']);
    expect(await current()).toBe(before);
    expect((await record('op-2', '{"key":"a"}', { most: 13 }))[0]).toBe(1);
  });

  it('leaves a task of another format to others', async () => {
    await client.hset(key, { v: '1' });
    expect(await record('op-1', '{"key":"a"}')).toEqual([4]);
    await client.del(key);
    await client.set(key, 'T003 of a newer release');
    expect(await record('op-1', '{"key":"a"}')).toEqual([4]);
    expect(await current()).toBe('T003 of a newer release');
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

it('the script of format 1 leaves a task of this format alone, as older nodes do', async () => {
  await create('op-1');
  const before = await current();
  const args = ['1', op('op-1'), '1', '{}', '60000', op('op-2'), `${key}:c`, '', ''];
  await expect(run('updateHash', ...args)).rejects.toThrow('WRONGTYPE');
  expect(await current()).toBe(before);
});
