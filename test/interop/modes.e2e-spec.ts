import type { Client } from '@modelcontextprotocol/client';
import { connect, type ClientOptions } from './harness/official-client.js';
import { useServer } from './harness/use-server.js';

type Mode = NonNullable<ClientOptions['mode']>;
type Result = { isError?: boolean; structuredContent?: unknown; content: { text: string }[] };

const OLDER: readonly Mode[] = ['default', 'legacy'];
const CURRENT: readonly Mode[] = ['auto', 'pinned'];

describe('the official client over HTTP', () => {
  const server = useServer();
  let client: Client;
  afterEach(() => client.close());

  const connected = async (mode: Mode, options: ClientOptions = {}): Promise<Client> => {
    ({ client } = await connect(server.url, { ...options, mode }));
    return client;
  };

  it.each([...OLDER, ...CURRENT])('in mode %s connects, lists, and calls with progress', async (mode) => {
    await connected(mode);
    expect(client.getServerVersion()).toMatchObject({ name: 'mocapi-demo' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('add');
    const progress: number[] = [];
    const call = { name: 'batch_resize', arguments: { count: 2, delayMs: 10 } };
    const result = await client.callTool(call, { onprogress: ({ progress: done }) => progress.push(done) });
    expect(result.structuredContent).toEqual({ resized: 2 });
    expect(progress).toEqual([1, 2]);
  });

  it.each(OLDER)('in mode %s speaks revision 2025-11-25, and is not shown what is always a task', async (mode) => {
    await connected(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('export_archive');
    const result = (await client.callTool({ name: 'export_archive', arguments: { format: 'zip' } })) as Result;
    expect(result.isError).toBe(true);
    expect(result.content[0]!.text).toContain('io.modelcontextprotocol/tasks');
  });

  it.each(OLDER)('in mode %s is not asked, even if it could be', async (mode) => {
    await connected(mode, { answer: () => ({ ok: true }) });
    const result = (await client.callTool({ name: 'confirmed_report', arguments: { title: 'Q3' } })) as Result;
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0]!.text).toContain('elicitation');
  });

  it.each(CURRENT)('in mode %s speaks revision 2026-07-28, and is asked', async (mode) => {
    await connected(mode, { answer: () => ({ ok: true }) });
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const result = await client.callTool({ name: 'confirmed_report', arguments: { title: 'Q3' } });
    expect(result.structuredContent).toEqual({ title: 'Q3', status: 'written' });
  });

  it.each([...OLDER, ...CURRENT])('in mode %s is refused by a guard, and let through with the header it wants', async (mode) => {
    const call = { name: 'guarded_purge', arguments: { bucket: 'old' } };
    await expect((await connected(mode)).callTool(call)).rejects.toMatchObject({ code: 403 });
    await client.close();
    const result = await (await connected(mode, { headers: { 'x-demo-role': 'admin' } })).callTool(call);
    expect(result.structuredContent).toEqual({ bucket: 'old', purged: 5 });
  });
});
