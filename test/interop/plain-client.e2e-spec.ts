import type { Client } from '@modelcontextprotocol/client';
import { connect, type ClientOptions } from './harness/official-client.js';
import { closingAfterEach, useServer } from './harness/use-server.js';

const NAMES = [
  'add',
  'batch_resize',
  'confirmed_report',
  'trip_planner',
  'escalating_import',
  'charge_then_ask',
  'guarded_purge',
  'export_archive',
  'flaky_job',
];

describe('the official client without tasks', () => {
  const server = useServer();
  const closing = closingAfterEach<Client>();
  const connected = async (options: ClientOptions = {}): Promise<Client> => closing((await connect(server.url, options)).client);

  it('sees the tools in the order they are declared', async () => {
    const { tools } = await (await connected()).listTools();
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
  });

  it('gets the answer of a plain tool', async () => {
    const result = await (await connected()).callTool({ name: 'add', arguments: { a: 2, b: 3 } });
    expect(result.structuredContent).toEqual({ sum: 5 });
  });

  it('gets a plain answer from a tool that could be a task', async () => {
    const progress: string[] = [];
    const result = await (
      await connected()
    ).callTool(
      { name: 'batch_resize', arguments: { count: 2, delayMs: 10 } },
      { onprogress: ({ progress: done, total }) => progress.push(`${done}/${total}`) },
    );
    expect(result.structuredContent).toEqual({ resized: 2 });
    expect(progress).toEqual(['1/2', '2/2']);
  });

  it('is asked on the wire and answers on its own', async () => {
    const asked: string[] = [];
    const client = await connected({ answer: (message) => (asked.push(message), { ok: true }) });
    const result = await client.callTool({ name: 'confirmed_report', arguments: { title: 'Q3' } });
    expect(result.structuredContent).toEqual({ title: 'Q3', status: 'written' });
    expect(asked).toEqual(['Write the report "Q3"?']);
  });

  it('answers two questions of one round', async () => {
    const client = await connected({
      answer: (message) => (message.startsWith('When') ? { from: '2026-12-01', to: '2026-12-08' } : 'decline'),
    });
    const result = await client.callTool({ name: 'trip_planner', arguments: { city: 'Oslo' } });
    expect(result.structuredContent).toEqual({ city: 'Oslo', dates: { from: '2026-12-01', to: '2026-12-08' } });
  });

  it('is told which capability it lacks for a question it cannot show', async () => {
    const call = (await connected()).callTool({ name: 'confirmed_report', arguments: { title: 'Q3' } });
    await expect(call).rejects.toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } });
  });

  it('is told which extension it lacks for a tool that is always a task', async () => {
    const call = (await connected()).callTool({ name: 'export_archive', arguments: { format: 'zip' } });
    const requiredCapabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    await expect(call).rejects.toMatchObject({ code: -32021, data: { requiredCapabilities } });
  });

  it('is refused by a guard, and let through with the header it wants', async () => {
    const call = { name: 'guarded_purge', arguments: { bucket: 'old' } };
    await expect((await connected()).callTool(call)).rejects.toMatchObject({ code: 403 });
    const result = await (await connected({ headers: { 'x-demo-role': 'admin' } })).callTool(call);
    expect(result.structuredContent).toEqual({ bucket: 'old', purged: 5 });
  });

  it('gets the failure of a tool as a result', async () => {
    expect(await (await connected()).callTool({ name: 'flaky_job' })).toMatchObject({ isError: true });
    expect((await (await connected()).callTool({ name: 'flaky_job', arguments: { fail: false } })).structuredContent).toEqual({ ok: true });
  });
});
