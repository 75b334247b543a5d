import { monitorRedis, redisUrl } from '@mocapi/redis-harness';
import { newTaskId, taskKeyOf, withLedgerEntry } from '@mocapi/tasks';
import type { RecordCipher } from '@mocapi/tasks-redis';
import { sampleDraft } from '@mocapi/testing';
import { Redis } from 'ioredis';
import { readTaskString } from '../../../../test/support/task-string.js';
import { countUp, freshPrefix, keyOf, openStore } from '../support/open-store.js';

let client: Redis;

beforeAll(() => {
  client = new Redis(redisUrl());
});
afterAll(() => client.quit());

it('a task is one string, of its record and what guards it, and of nothing else', async () => {
  const prefix = freshPrefix();
  const store = await openStore({ kind: 'url', url: redisUrl() }, { prefix });
  try {
    const draft = await store.create(sampleDraft());
    await store.recordEntry(keyOf(draft), draft.run!, { key: 'step', kind: 'step', fingerprint: '', answered: true, response: 1 });
    const record = (await store.update(keyOf(draft), countUp))!;
    const { createdAt, lastUpdatedAt, version, ledger, ...document } = record;
    const text = (await client.get(`${prefix}${keyOf(record)}`))!;
    expect(readTaskString(text)).toEqual({
      format: 2,
      version,
      op: expect.stringMatching(/^[\w-]{16}$/) as string,
      createdAt,
      updatedAt: lastUpdatedAt,
      document,
      entries: ledger,
    });
    expect([version, ledger.length, Number(text.slice(72, 88))]).toEqual([3, 1, createdAt + record.ttlMs!]);
    const keys = (await client.keys(`${prefix}*`)).toSorted();
    // The other one counts the tasks of the caller, by a digest of whom it counts against.
    expect(keys.filter((name) => name !== `${prefix}${keyOf(record)}`)).toEqual([expect.stringMatching(`^${prefix}acc:[\\w-]{43}$`)]);
    expect(keys).toHaveLength(2);
  } finally {
    await store.onApplicationShutdown();
  }
});

it('what has not changed is not written again', async () => {
  const prefix = freshPrefix();
  const store = await openStore({ kind: 'url', url: redisUrl() }, { prefix });
  const text = 'argument '.repeat(100);
  const draft = await store.create(sampleDraft({ arguments: { text } }));
  const key = keyOf(draft);
  const sent: string[] = [];
  const stop = await monitorRedis(redisUrl(), ({ source, args }) => {
    if (source !== 'lua' && args.some((arg) => arg.includes(key))) sent.push(args.join(' '));
  });
  try {
    const step = (name: string) => ({ key: name, kind: 'step', fingerprint: '', answered: true, response: `response of ${name}` }) as const;
    await store.recordEntry(key, draft.run!, step('first'));
    await store.update(key, (record) => withLedgerEntry(record, step('second')));
    await store.update(key, countUp);
    await client.exists(`${prefix}${key}`);
    while (!sent.at(-1)?.startsWith('exists')) await client.ping();
  } finally {
    stop();
  }
  const [first, second, update] = sent.filter((command) => /^eval/i.test(command));
  expect([first, second, update].map((command) => ['first', 'second', text].filter((what) => command!.includes(what)))).toEqual([
    ['first'],
    ['second'],
    [text],
  ]);
  expect((await store.get(key))?.ledger.map(({ response }) => response)).toEqual(['response of first', 'response of second']);
  await store.onApplicationShutdown();
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
    const lines = async () => (await client.get(`${prefix}${key}`))!.trimEnd().split('\n').slice(1);
    expect(await lines()).toEqual([expect.stringMatching(`^${key}:`)]);
    await store.update(key, countUp);
    expect(await lines()).toEqual([expect.stringMatching(`^${key}:`)]);
    await store.recordEntry(key, draft.run!, { key: 'secret', kind: 'step', fingerprint: '', answered: true });
    expect(await lines()).toEqual([expect.stringMatching(`^${key}:`), expect.stringMatching(`^${key}/ledger:`)]);
    // The peer's write starts from what the other wrote meanwhile, which the refusal brings along.
    await peer.update(key, countUp);
    await store.update(key, countUp);
    const record = await peer.update(key, countUp);
    expect([record?.statusMessage, record?.arguments, record?.ledger.length]).toEqual(['4', draft.arguments, 1]);
    const other = taskKeyOf(undefined, newTaskId());
    await client.copy(`${prefix}${key}`, `${prefix}${other}`);
    await expect(peer.get(other)).rejects.toThrow('sealed for another key');
  } finally {
    for (const each of [store, peer]) await each.onApplicationShutdown();
  }
});
