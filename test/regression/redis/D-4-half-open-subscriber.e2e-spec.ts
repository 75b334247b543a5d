import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { openConnection, RedisTaskStore } from '@mocapi/tasks-redis';
import { redisUrl, until } from '@mocapi/redis-harness';
import { taskKeyOf } from '@mocapi/tasks';
import { sampleDraft } from '@mocapi/testing';

/** Two beats of a second each, the connection, and room for a busy machine. */
const NOTICED_MS = 8000;

/** In front of Redis: `freeze` makes the connections that have subscribed to something go silent, without an end. New ones are live. */
class Relay {
  swallowed = 0;
  private readonly subscribed = new Set<Socket>();
  private readonly frozen = new Set<Socket>();
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((near) => this.join(near));

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  freeze(): number {
    for (const socket of this.subscribed) this.frozen.add(socket);
    return this.frozen.size;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private join(near: Socket): void {
    const { hostname, port } = new URL(redisUrl());
    const far = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const end of [near, far]) this.sockets.add(end.on('error', () => undefined));
    near.on('data', (chunk: Buffer) => {
      if (/subscribe/i.test(chunk.toString('latin1'))) this.subscribed.add(near);
      this.carry(near, () => far.write(chunk));
    });
    far.on('data', (chunk: Buffer) => this.carry(near, () => near.write(chunk)));
    near.on('close', () => this.carry(near, () => far.destroy()));
    far.on('close', () => this.carry(near, () => near.destroy()));
  }

  private carry(near: Socket, go: () => void): void {
    if (this.frozen.has(near)) this.swallowed += 1;
    else go();
  }
}

describe('D-4: a connection for messages that went silent is noticed', () => {
  it('it is replaced within a few seconds, what was missed is told, and the log has one line', async () => {
    const relay = new Relay();
    const warnings: unknown[] = [];
    const settings = { connectTimeoutMs: 5000, commandTimeoutMs: 2000 };
    const outages = { log: () => undefined, warn: (text: unknown) => void warnings.push(text) };
    const prefix = `test:d4:${process.pid}:`;
    const store = new RedisTaskStore(await openConnection({ kind: 'url', url: await relay.listen() }, settings, outages), { prefix });
    const peer = new RedisTaskStore(await openConnection({ kind: 'url', url: redisUrl() }, settings, outages), { prefix });
    try {
      const task = await peer.create(sampleDraft());
      const key = taskKeyOf(task.principal, task.taskId, task.endpoint);
      const heard: number[] = [];
      store.changeFeed.watch(key, (version) => void heard.push(version));
      await until('it listens', () => heard.length > 0);
      expect(relay.freeze()).toBe(1);
      heard.length = 0;
      await peer.update(key, (record) => ({ ...record, statusMessage: 'missed' }));
      const deadline = performance.now() + NOTICED_MS;
      while (heard.length === 0 && performance.now() < deadline) await store.get(key);
      expect(heard).toEqual([Number.POSITIVE_INFINITY]);
      expect(relay.swallowed).toBeGreaterThan(0);
      await peer.update(key, (record) => ({ ...record, statusMessage: 'heard' }));
      await until('changes are heard again', () => heard.includes(3));
      expect(warnings).toEqual([]);
    } finally {
      await store.onApplicationShutdown();
      await peer.onApplicationShutdown();
      relay.stop();
    }
  }, 30_000);
});
