import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { redisUrl, startRedisCluster } from '@mocapi/redis-harness';
import { Cluster, Redis } from 'ioredis';
import { CorkedWrites } from '../../src/connection/cork-writes.js';

/** How often a socket was given something to send, in one system call each. */
function countWrites(client: Redis): () => number {
  let count = 0;
  // What is corked leaves by `_writev`, all else by `_write`.
  const { stream } = client as unknown as { stream: Record<'_write' | '_writev', (...args: unknown[]) => unknown> };
  for (const name of ['_write', '_writev'] as const) {
    const send = stream[name].bind(stream);
    stream[name] = (...args) => {
      count += 1;
      return send(...args);
    };
  }
  return () => count;
}

it('all commands of one turn leave in one write, those of the next turn in another', async () => {
  const client = new Redis(redisUrl());
  await once(client, 'ready');
  const writes = new CorkedWrites(client);
  const count = countWrites(client);
  const send = async (text: string): Promise<string> => {
    writes.hold();
    return client.echo(text);
  };
  const later = Promise.resolve().then(() => send('later in the turn'));
  const replies = await Promise.all([send('1'), send('2'), send('3'), later]);
  expect([replies, count()]).toEqual([['1', '2', '3', 'later in the turn'], 1]);
  expect([await send('4'), count()]).toEqual(['4', 2]);
  client.disconnect();
});

it('so do those to each server of a cluster', async () => {
  const cluster = await startRedisCluster();
  const client = new Cluster([...cluster.nodes]);
  try {
    await once(client, 'ready');
    const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);
    // Connects to all of them.
    await Promise.all(keys.map((key) => client.get(key)));
    const writes = new CorkedWrites(client);
    const counts = client.nodes('all').map(countWrites);
    await Promise.all(keys.map((key) => (writes.hold(), client.set(key, key))));
    expect(counts.map((count) => count())).toEqual(counts.map(() => 1));
  } finally {
    client.disconnect();
    await cluster.stop();
  }
}, 30_000);

it('a client without a connection is left as it is', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Redis((server.address() as AddressInfo).port, { lazyConnect: true });
  new CorkedWrites(client).hold();
  expect(client.status).toBe('wait');
  client.disconnect();
  server.close();
});

it('commands leave although a test of the application has faked its timers', async () => {
  const client = new Redis(redisUrl());
  await once(client, 'ready');
  const { setImmediate: real } = globalThis;
  let faked = 0;
  globalThis.setImmediate = Object.assign(() => (faked += 1) as never, { __promisify__: real.__promisify__ });
  try {
    new CorkedWrites(client).hold();
    expect(await client.echo('sent')).toBe('sent');
    expect(faked).toBe(0);
  } finally {
    globalThis.setImmediate = real;
    client.disconnect();
  }
});
