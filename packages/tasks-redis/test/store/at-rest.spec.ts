import { redisUrl } from '@mocapi/redis-harness';
import { newTaskId, taskKeyOf } from '@mocapi/tasks';
import type { RecordCipher } from '@mocapi/tasks-redis';
import { sampleDraft } from '@mocapi/testing';
import { Redis } from 'ioredis';
import { countUp, freshPrefix, keyOf, openStore } from '../support/open-store.js';

let client: Redis;

beforeAll(() => {
  client = new Redis(redisUrl());
});
afterAll(() => client.quit());

it('a task is one hash, of its record and what guards it, and of nothing else', async () => {
  const prefix = freshPrefix();
  const store = await openStore({ kind: 'url', url: redisUrl() }, { prefix });
  try {
    const record = (await store.update(keyOf(await store.create(sampleDraft())), countUp))!;
    const { createdAt, lastUpdatedAt, version, ...document } = record;
    const { o, b, d, a, ...fields } = await client.hgetall(`${prefix}${keyOf(record)}`);
    expect(JSON.parse(d!)).toEqual(document);
    expect(fields).toEqual({ f: '1', v: '2', c: String(createdAt), u: String(lastUpdatedAt), x: String(createdAt + record.ttlMs!) });
    expect([version, o === b, o?.length, b?.length]).toEqual([2, false, 16, 16]);
    // A digest of whom it counts against.
    expect(a).toMatch(/^[\w-]{43}$/);
    expect((await client.keys(`${prefix}*`)).toSorted()).toEqual([`${prefix}${keyOf(record)}`, `${prefix}acc:${a}`].toSorted());
  } finally {
    await store.onApplicationShutdown();
  }
});

/** Tells who asked it, and for which key. */
class TellingCipher implements RecordCipher {
  seal(key: string, document: string): string {
    return `${key}:${Buffer.from(document).toString('base64')}`;
  }

  open(key: string, stored: string): string {
    if (!stored.startsWith(`${key}:`)) throw new Error('sealed for another key');
    return Buffer.from(stored.slice(key.length + 1), 'base64').toString();
  }
}

it('with a cipher no document is stored in clear, in whatever way it was written, and each opens under its own key alone', async () => {
  const prefix = freshPrefix();
  const cipher = new TellingCipher();
  const [store, peer] = [
    await openStore({ kind: 'url', url: redisUrl() }, { prefix, cipher }),
    await openStore({ kind: 'url', url: redisUrl() }, { prefix, cipher }),
  ];
  try {
    const draft = sampleDraft({ arguments: { secret: 'of the caller' } });
    const key = keyOf(await store.create(draft));
    const sealed = async () => String(await client.hget(`${prefix}${key}`, 'd'));
    expect(await sealed()).toMatch(`${key}:`);
    await store.update(key, countUp);
    expect(await sealed()).toMatch(`${key}:`);
    // The peer's write starts from what the other wrote meanwhile, which the refusal brings along.
    await peer.update(key, countUp);
    await store.update(key, countUp);
    const record = await peer.update(key, countUp);
    expect([record?.statusMessage, record?.arguments]).toEqual(['4', draft.arguments]);
    const other = taskKeyOf(undefined, newTaskId());
    await client.copy(`${prefix}${key}`, `${prefix}${other}`);
    await expect(peer.get(other)).rejects.toThrow('sealed for another key');
  } finally {
    for (const each of [store, peer]) await each.onApplicationShutdown();
  }
});
