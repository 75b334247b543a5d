import { type ProxyFault, type RedisProxy, type RedisServer, spawnRedisServer, startRedisProxy, until } from '@mocapi/redis-harness';
import { Redis, type RedisOptions } from 'ioredis';

/** Sends a request that a stall holds up: there once it is. */
async function heldUp<T>(stall: ProxyFault, send: () => Promise<T>): Promise<{ reply: Promise<T> }> {
  const { fired } = stall;
  const reply = send();
  reply.catch(() => undefined);
  await until('the request is held up', () => stall.fired > fired);
  return { reply };
}

describe.each([2, 3] as const)('a proxy in front of a Redis that speaks RESP %d', (protocol) => {
  let server: RedisServer;
  let proxy: RedisProxy;
  let direct: Redis;
  const clients: Redis[] = [];
  /** A client that sends nothing twice. */
  const through = (options: RedisOptions = {}) => {
    const client = new Redis(proxy.url, { protocol, maxRetriesPerRequest: 0, retryStrategy: () => 20, disconnectTimeout: 10, ...options });
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    server = await spawnRedisServer();
    direct = server.client();
  });

  beforeEach(async () => {
    await direct.flushall();
    proxy = await startRedisProxy(server.port);
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) client.disconnect();
    await proxy.stop();
  });

  afterAll(async () => {
    await server?.stop();
  });

  it('passes on whatever is said, large values and many commands at once', async () => {
    const client = through();
    const large = 'é'.repeat(500_000);
    const replies = await Promise.all([
      client.set('large', large),
      ...Array.from({ length: 200 }, () => client.incr('n')),
      client.get('large'),
    ]);
    expect(replies.slice(1, 201)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(replies.at(-1)).toBe(large);
  });

  it('cuts the connection before the request reaches Redis, after the requests ahead of it were answered', async () => {
    const cut = proxy.cutBefore({ containing: ['incr', 'marked'] });
    const client = through();
    await client.ping();
    // The three are let through at once.
    const stall = proxy.stall();
    const asked = [await heldUp(stall, () => client.incr('ahead')), await heldUp(stall, () => client.incr('marked'))];
    asked.push(await heldUp(stall, () => client.incr('behind')));
    stall.end();
    const outcomes = await Promise.allSettled(asked.map(({ reply }) => reply));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(cut.fired).toBe(1);
    await expect(direct.mget('ahead', 'marked', 'behind')).resolves.toEqual(['1', null, null]);
    await expect(client.incr('marked')).resolves.toBe(1);
    expect(cut.fired).toBe(1);
  });

  it('cuts the connection after Redis carried the request out, and loses the reply', async () => {
    const cut = proxy.loseReply({ containing: ['marked'], times: 2 });
    const client = through();
    await client.ping();
    const outcomes = await Promise.allSettled([client.incr('ahead'), client.incr('marked')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(cut.fired).toBe(1);
    await expect(direct.mget('ahead', 'marked')).resolves.toEqual(['1', '1']);
    await expect(client.incr('marked')).rejects.toThrow();
    expect(cut.fired).toBe(2);
    await expect(client.incr('marked')).resolves.toBe(3);
  });

  it('does at the cut what it is told to, before anybody connects again', async () => {
    const client = through({ maxRetriesPerRequest: 20 });
    await client.ping();
    let stall: ProxyFault | undefined;
    const cut = proxy.loseReply({ containing: ['marked'], onFired: () => (stall = proxy.stall()) });
    const reply = client.incr('marked');
    await until('the client asks again', () => stall !== undefined && stall.fired > 0);
    await expect(direct.incrby('marked', 10)).resolves.toBe(11);
    stall?.end();
    await expect(reply).resolves.toBe(12);
    expect(cut.fired).toBe(1);
  });

  it('passes a refusal on and loses the reply of the next request, which is carried out', async () => {
    const cut = proxy.loseReply({ containing: ['marked'] });
    const client = through();
    await expect(client.call('INCRBY', 'marked', 'no number')).rejects.toThrow(/not an integer/);
    expect(cut.fired).toBe(0);
    await expect(client.incr('marked')).rejects.toThrow(/closed|retries/i);
    expect(cut.fired).toBe(1);
    await expect(direct.get('marked')).resolves.toBe('1');
  });

  it('holds everything up while it stalls, and lets it through afterwards in order', async () => {
    const client = through();
    await client.ping();
    const stall = proxy.stall();
    let replies = 0;
    const ask = (value: string) => heldUp(stall, () => client.append('n', value).finally(() => (replies += 1)));
    const asked = [await ask('1'), await ask('2'), await ask('3')];
    await expect(direct.get('n')).resolves.toBeNull();
    expect(replies).toBe(0);
    stall.end();
    await expect(Promise.all(asked.map(({ reply }) => reply))).resolves.toEqual([1, 2, 3]);
    await expect(direct.get('n')).resolves.toBe('123');
  });

  it('swallows published messages, and nothing else, until it is told to stop', async () => {
    const subscriber = through();
    const heard: string[] = [];
    subscriber.on('message', (_, message: string) => heard.push(message));
    await subscriber.subscribe('news');
    const mute = proxy.muteMessages();
    await direct.publish('news', 'lost');
    await until('the message is swallowed', () => mute.fired === 1);
    await expect(subscriber.subscribe('other')).resolves.toBe(2);
    mute.end();
    await direct.publish('news', 'heard');
    await until('the next message comes', () => heard.length > 0);
    expect(heard).toEqual(['heard']);
    expect(mute.fired).toBe(1);
  });

  it('breaks the connections of subscribers alone', async () => {
    const [subscriber, client] = [through(), through()];
    await Promise.all([subscriber.subscribe('news'), client.ping()]);
    let closed = 0;
    client.on('close', () => (closed += 1));
    const broken = new Promise((resolve) => subscriber.once('close', resolve));
    expect(proxy.dropSubscribers()).toBe(1);
    await broken;
    await expect(client.ping()).resolves.toBe('PONG');
    expect(closed).toBe(0);
  });

  it('leads new connections to another Redis when it is told to, and leaves those there are to the first', async () => {
    const client = through({ maxRetriesPerRequest: 20 });
    await client.set('here', '1');
    const other = await spawnRedisServer();
    try {
      proxy.retarget(other.port);
      await expect(client.get('here')).resolves.toBe('1');
      expect(proxy.dropAll()).toBe(1);
      await expect(client.get('here')).resolves.toBeNull();
      await expect(client.set('there', '1')).resolves.toBe('OK');
      await expect(other.client().get('there')).resolves.toBe('1');
    } finally {
      await other.stop();
    }
  });

  it('ends with all its connections', async () => {
    const client = through();
    await client.ping();
    const broken = new Promise((resolve) => client.once('close', resolve));
    await proxy.stop();
    await broken;
    await expect(through({ retryStrategy: () => null }).ping()).rejects.toThrow(/closed|ECONNREFUSED/);
  });
});
