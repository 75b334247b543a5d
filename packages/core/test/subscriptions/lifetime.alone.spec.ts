import { once } from 'node:events';
import { isJsonObject } from '@mocapi/core/internal';
import { watchTimers } from '../transport/http-harness.js';
import { until } from '../../../../test/support/flow.js';
import { startListeningApp, type ListeningApp } from './listening-app.js';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

let app: ListeningApp;

async function start(limits = {}): Promise<void> {
  app = await startListeningApp({ limits });
}

/** How many listeners the application's notifier still has. */
function listeners(): number {
  return (app.notifier as unknown as { listeners: Set<unknown> }).listeners.size;
}

afterEach(() => app.close());

describe('a server that shuts down', () => {
  it.each([7, 'seven'])('answers the request, and then the stream ends: id %p', async (id) => {
    await start();
    const stream = await app.client().listen({ toolsListChanged: true }, { id });
    await stream.acknowledged();
    await Promise.all([app.close(), stream.ended]);
    expect(stream.result).toEqual({
      resultType: 'complete',
      _meta: { [SUBSCRIPTION_ID]: id, 'io.modelcontextprotocol/serverInfo': { name: 'testing', version: '1.0.0' } },
    });
    expect([stream.error, listeners()]).toEqual([undefined, 0]);
  });

  it('does not wait for a reader that has stalled longer than its grace', async () => {
    await start();
    const stream = await app.listen({ resourceSubscriptions: ['a:1'] });
    stream.pause();
    await stall();
    const before = performance.now();
    await app.close();
    expect(performance.now() - before).toBeLessThan(4_000);
    await stream.close();
  });
});

describe('a client that leaves', () => {
  it('leaves nothing behind: no listener, no timer, no socket', async () => {
    await start();
    const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
    const before = sockets();
    const timers = watchTimers();
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => app.listen({ toolsListChanged: true, resourceSubscriptions: ['a:1'] })),
    );
    expect(listeners()).toBe(40);
    await Promise.all(streams.map((stream) => stream.close()));
    await until(() => listeners() === 0, 'every topic was stopped');
    await until(() => sockets() <= before, 'every socket was closed');
    expect(app.responses.map(({ destroyed }) => destroyed)).toEqual(Array.from({ length: 20 }, () => true));
    timers.stop();
    expect(timers.started()).toBeGreaterThanOrEqual(20);
    expect(timers.running()).toBe(0);
  });
});

describe('a stream on which nothing happens', () => {
  it('is kept open by comment lines', async () => {
    await start({ heartbeatMs: 10 });
    const stream = await app.listen({});
    await until(() => stream.heartbeats >= 3, 'heartbeats came');
    expect(stream.messages).toHaveLength(1);
    await stream.close();
  });

  it('outlives the timeouts that the app has for ordinary requests', async () => {
    app = await startListeningApp({
      limits: { heartbeatMs: 200 },
      configure: (nest) => {
        const { server } = nest.getHttpAdapter().getInstance() as { server: { timeout: number; requestTimeout: number } };
        Object.assign(server, { timeout: 50, requestTimeout: 50 });
      },
    });
    const stream = await app.listen({ toolsListChanged: true });
    // Each comes a good while after the timeouts.
    await until(() => stream.heartbeats >= 2, 'two heartbeats came');
    app.notifier.toolsChanged();
    expect((await stream.next()).method).toBe('notifications/tools/list_changed');
    await stream.close();
  });
});

/** Says so much that the stalled reader's socket is full. @returns how much was said, and how much the server then held at most */
async function stall(): Promise<{ said: number; held: number }> {
  const [response] = app.responses;
  const text = 'x'.repeat(4_000);
  let held = 0;
  let said = 0;
  for (let round = 0; round < 4_000; round++) {
    app.notifier.resourceUpdated(`a:1/${round}/${text}`);
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    said += text.length;
    held = Math.max(held, response!.writableLength + (response!.socket?.writableLength ?? 0));
  }
  return { said, held };
}

describe('a reader that stalls', () => {
  it('costs at most 64 KB, and finds the latest state when it reads on', async () => {
    await start();
    const stream = await app.listen({ resourceSubscriptions: ['a:1', 'a:2'], toolsListChanged: true });
    stream.pause();
    const { said, held } = await stall();
    expect(app.responses[0]!.writableNeedDrain).toBe(true);
    expect(said).toBeGreaterThan(10_000_000);
    expect(held).toBeLessThanOrEqual(64 * 1024);
    for (let index = 0; index < 1_000; index++) app.notifier.toolsChanged();
    app.notifier.resourceUpdated('a:2/only');
    stream.resume();
    await until(() => stream.messages.some(({ params }) => params?.uri === 'a:2/only'), 'the last word came');
    expect(stream.messages.slice(-3).map(({ method, params }) => [method, params?.uri])).toEqual([
      // Of what has changed in a:1 meanwhile only that something has.
      ['notifications/resources/updated', 'a:1'],
      ['notifications/tools/list_changed', undefined],
      ['notifications/resources/updated', 'a:2/only'],
    ]);
    expect(stream.messages.every(({ params }) => isJsonObject(params?._meta) && params._meta[SUBSCRIPTION_ID] === stream.id)).toBe(true);
    await stream.close();
  });

  it('is cut off when it takes nothing for a long time', async () => {
    await start({ heartbeatMs: 50 });
    const stream = await app.listen({ resourceSubscriptions: ['a:1'] });
    stream.pause();
    await stall();
    const [response] = app.responses;
    if (!response!.destroyed) await once(response!, 'close');
    await until(() => listeners() === 0, 'its topics were stopped');
    await stream.close();
  });
});
