import { startRedisPair, until, type RunningRedisPair } from '@mocapi/redis-harness';
import { Redis } from 'ioredis';
import { openConnection } from '../../src/connection/open-connection.js';
import { startSentinel, type RunningSentinel } from '../support/start-sentinel.js';
import { RecordingLog } from '../support/recording-log.js';

const FAILOVER_MS = 60_000;

let pair: RunningRedisPair;
let sentinel: RunningSentinel;
beforeAll(async () => {
  pair = await startRedisPair();
  sentinel = await startSentinel(pair.primary.port);
  const client = new Redis({ host: '127.0.0.1', port: sentinel.port });
  const replicas = async (): Promise<unknown[]> => (await client.call('SENTINEL', 'REPLICAS', 'main')) as unknown[];
  await until('the sentinel knows whom to promote', async () => (await replicas()).length === 1);
  client.disconnect();
}, FAILOVER_MS);
afterAll(async () => {
  await sentinel.stop();
  await pair.stop();
});

describe('a connection by Sentinel', () => {
  it(
    'leads to the primary, and to the new one after a failover',
    async () => {
      const watcher = pair.primary.client();
      const log = new RecordingLog();
      const options = { name: 'main', sentinels: [{ host: '127.0.0.1', port: sentinel.port }] };
      const connection = await openConnection({ kind: 'server', options }, { connectTimeoutMs: 10_000, commandTimeoutMs: 1000 }, log);
      expect(connection.address).toBe(`"main" of the sentinels at 127.0.0.1:${sentinel.port}`);
      expect(await connection.commands.set('before', 'yes')).toBe('OK');
      expect(await watcher.get('before')).toBe('yes');
      await pair.caughtUp();
      await connection.subscriber.subscribe('x');
      const heard: string[] = [];
      connection.subscriber.on('message', (_channel: string, text: string) => heard.push(text));

      expect(await pair.primary.kill()).toBe('SIGKILL');
      await until(
        'writes are taken again',
        async () => (await connection.commands.set('after', 'yes').catch(() => '')) === 'OK',
        FAILOVER_MS,
      );
      expect(await pair.replica.client().mget('before', 'after')).toEqual(['yes', 'yes']);
      await until('what is published on the new primary is heard', async () => {
        await pair.replica.client().publish('x', 'new');
        return heard.includes('new');
      });
      expect(log.warnings).toEqual([expect.stringMatching(/^Redis is away: "main" of the sentinels/)]);
      expect(log.lines).toEqual([expect.stringMatching(/^Redis is back: "main" of the sentinels/)]);
      await connection.close();
    },
    FAILOVER_MS * 2,
  );
});
