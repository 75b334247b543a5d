import { McpTestClient } from '@mocapi/testing';
import { startServer, type ServerProcess } from '../support/server-process.mjs';

const TASKS = 100;
const STREAMS = 5;
const DEADLINE_MS = 5000;

describe('a server that is told to end', () => {
  it('ends cleanly within five seconds, with a hundred tasks at work and five streams open', async () => {
    const server = await startServer('apps/demo/src/main.ts');
    const client = new McpTestClient(server.url);

    const tasks = await Promise.all(Array.from({ length: TASKS }, () => startTask(client.withTasks())));
    expect(new Set(tasks.map(({ taskId }) => taskId)).size).toBe(TASKS);
    expect(tasks.every(({ status }) => status === 'working')).toBe(true);
    const streams = await Promise.all(Array.from({ length: STREAMS }, (_, index) => openStream(client, index)));

    expect(await within(DEADLINE_MS, server)).toEqual({ code: 0, signal: null });
    // Every stream was open until then, and none is left hanging.
    for (const { whileRunning, end } of streams) {
      expect(whileRunning).toBe('open');
      await end;
    }
  }, 30_000);
});

async function startTask(client: McpTestClient): Promise<{ taskId?: string; status?: string }> {
  const { result } = await client.callTool('batch_resize', { count: 1000, delayMs: 10_000 });
  return result as { taskId?: string; status?: string };
}

/** A call that never becomes a task and reports its progress on a stream; there once the first report has arrived. */
async function openStream(client: McpTestClient, index: number): Promise<{ whileRunning: string; end: Promise<unknown> }> {
  let end: Promise<unknown> = Promise.resolve();
  const whileRunning = await new Promise<string>((resolve) => {
    const extra = { meta: { progressToken: `stream-${index}` }, onNotification: () => resolve('open') };
    end = client.callTool('batch_resize', { count: 1000, delayMs: 100 }, extra).catch(() => undefined);
    void end.then(() => resolve('ended'));
  });
  return { whileRunning, end };
}

/** Sends SIGTERM; a server that outlives its deadline is killed, which shows in how it ended. */
async function within(ms: number, server: ServerProcess): Promise<unknown> {
  const ended = server.stop('SIGTERM');
  const timer = setTimeout(() => void server.stop('SIGKILL'), ms);
  try {
    return await ended;
  } finally {
    clearTimeout(timer);
  }
}
