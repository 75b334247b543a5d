import type { Client } from '@modelcontextprotocol/client';
import { connectStdio, type ClientOptions } from './harness/official-client.js';
import { openStdioTaskClient, type TaskClient } from './harness/task-session.js';

type Mode = NonNullable<ClientOptions['mode']>;

describe('the official client on stdio', () => {
  let client: Client;
  afterEach(() => client.close());

  const connected = async (mode: Mode, options: ClientOptions = {}): Promise<Client> => {
    ({ client } = await connectStdio({ ...options, mode }));
    return client;
  };

  it.each<[Mode, string]>([
    ['default', '2025-11-25'],
    ['auto', '2026-07-28'],
    ['pinned', '2026-07-28'],
  ])(
    'in mode %s speaks revision %s, lists, and calls with progress',
    async (mode, revision) => {
      await connected(mode);
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['words', 'empty', 'index']);
      const progress: number[] = [];
      const call = { name: 'index', arguments: { files: 3 } };
      const result = await client.callTool(call, { onprogress: ({ progress: done }) => progress.push(done) });
      expect(result.structuredContent).toEqual({ indexed: 3 });
      // What arrives together with the answer, the client no longer hands on.
      expect(progress.slice(0, 2)).toEqual([1, 2]);
    },
    30_000,
  );

  it('is asked and answers', async () => {
    await connected('pinned', { answer: () => ({ ok: true }) });
    const result = await client.callTool({ name: 'empty', arguments: { folder: 'old' } });
    expect(result.structuredContent).toEqual({ folder: 'old', emptied: true });
  }, 30_000);

  it('cancels a call and goes on', async () => {
    await connected('pinned');
    const cancelling = new AbortController();
    const call = client.callTool(
      { name: 'index', arguments: { files: 100_000 } },
      { signal: cancelling.signal, onprogress: () => cancelling.abort() },
    );
    await expect(call).rejects.toThrow();
    expect((await client.callTool({ name: 'words', arguments: { text: 'a b' } })).structuredContent).toEqual({ words: 2 });
  }, 30_000);
});

describe('the official tasks client on stdio', () => {
  let client: TaskClient;
  afterEach(() => client.close());

  it('follows a task from its creation to its result', async () => {
    client = await openStdioTaskClient();
    const execution = await client.session.callTool('index', { files: 5 });
    if (execution.kind !== 'task') throw new Error('The call was answered at once instead of becoming a task');
    const { outcome } = await execution.settle();
    expect(outcome).toMatchObject({ status: 'completed', result: { structuredContent: { indexed: 5 } } });
  }, 30_000);
});
