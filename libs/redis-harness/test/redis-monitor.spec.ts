import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { MonitoredCommand } from '@mocapi/redis-harness';
import { monitorRedis, redisUrl } from '@mocapi/redis-harness';
import { Redis } from 'ioredis';
import { parseMonitored } from '../src/parse-monitored.js';

describe('a line of MONITOR', () => {
  it('is read as it was, whatever stands in it', () => {
    const line = String.raw`+1796051631.072098 [0 lua] "HSET" "a \"b\" c" "{\"x\":\"\\\"\\u0000 \xd0\xba\n\"}" ""`;
    expect(parseMonitored(line)).toEqual({
      at: 1796051631072.098,
      source: 'lua',
      args: ['HSET', 'a "b" c', '{"x":"\\"\\u0000 к\n"}', ''],
    });
  });

  it('is no other line', () => {
    expect(() => parseMonitored('-ERR unknown command')).toThrow('Not a line of MONITOR: -ERR unknown command');
  });
});

describe('a monitor', () => {
  it('hears the commands that arrive in one piece with the OK', async () => {
    const server = createServer((socket: Socket) => {
      socket.once('data', () =>
        socket.write('+OK\r\n+1796051631.072098 [0 127.0.0.1:1] "GET" "a"\r\n+1796051631.072099 [0 127.0.0.1:1] "GET" "b"\r\n'),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const heard: MonitoredCommand[] = [];
    const stop = await monitorRedis(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`, (command) => void heard.push(command));
    expect(heard.map(({ args }) => args)).toEqual([
      ['GET', 'a'],
      ['GET', 'b'],
    ]);
    stop();
    server.close();
  });

  it('hears what a busy Redis does', async () => {
    const client = new Redis(redisUrl());
    const heard: MonitoredCommand[] = [];
    const busy = Promise.all(Array.from({ length: 200 }, () => client.ping()));
    const stop = await monitorRedis(redisUrl(), (command) => void heard.push(command));
    await busy;
    await client.echo('the end of this');
    while (!heard.some(({ args }) => args[1] === 'the end of this')) await client.ping();
    stop();
    await client.quit();
  });
});
