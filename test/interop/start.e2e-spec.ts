import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { sh } from '../support/sh.mjs';
import { spawnServer, startNpmScript, startServer, type ServerProcess } from '../support/server-process.mjs';

const DEMO = 'apps/demo/src/main.ts';

let server: ServerProcess | undefined;
// A test that fails before its server ends must not leave it behind.
afterEach(() => server?.stop());

describe('npm start', () => {
  it('prints lines that work when they are pasted into a shell, and ends cleanly when it is told to', async () => {
    server = await startNpmScript('start');
    const [call, start] = server.output().match(/^curl .*$/gm) ?? [];
    expect(JSON.parse(await sh(call!))).toMatchObject({ id: 1, result: { resultType: 'complete', structuredContent: { sum: 5 } } });
    const task = JSON.parse(await sh(start!)) as { result: { taskId: string } };
    expect(task).toMatchObject({ id: 1, result: { resultType: 'task', status: 'working' } });
    const look = /^TASK=….*$/m.exec(server.output())![0].replace('…', task.result.taskId);
    expect(JSON.parse(await sh(look))).toMatchObject({ id: 1, result: { taskId: task.result.taskId } });
    expect(server.output()).toContain(`npx @modelcontextprotocol/inspector@latest --cli ${server.url} `);
    expect(server.output().match(/^listening on /gm)).toHaveLength(1);
    expect(await server.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  }, 30_000);
});

describe('the demo', () => {
  it('ends cleanly on an interrupt', async () => {
    server = await startServer(DEMO);
    expect(await server.stop('SIGINT')).toEqual({ code: 0, signal: null });
  }, 30_000);

  it('says which port is in use, and fails', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const demo = spawnServer(DEMO, { PORT: String(port), HOST: '127.0.0.1' });
    expect(await demo.ended).toEqual({ code: 1, signal: null });
    expect(demo.output()).toContain(`Port ${port} of 127.0.0.1 is in use.`);
    other.close();
  }, 30_000);
});
