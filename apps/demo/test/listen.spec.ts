import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CannotListenError, listen, reachable } from '../src/listen.js';

/** An app that opens a port without one. */
const app = (opened: unknown[] = []) =>
  ({
    listen: async (...where: unknown[]) => void opened.push(where),
    getHttpServer: () => ({ address: () => ({ port: 4711 }) }),
  }) as unknown as NestFastifyApplication;

describe('the address of the demo', () => {
  it('is port 3000 on this machine alone, unless PORT and HOST say otherwise', async () => {
    const opened: unknown[] = [];
    await listen(app(opened), {});
    await listen(app(opened), { PORT: '', HOST: '' });
    await listen(app(opened), { PORT: '0', HOST: '::1' });
    expect(opened).toEqual([
      [3000, '127.0.0.1'],
      [3000, '127.0.0.1'],
      [0, '::1'],
    ]);
  });

  it('is said with the port that was taken, as a URL', async () => {
    expect(await listen(app(), { PORT: '0' })).toBe('http://127.0.0.1:4711');
    expect(await listen(app(), { PORT: '0', HOST: '::1' })).toBe('http://[::1]:4711');
  });

  it('can be called even when it stands for every address of the machine', () => {
    expect(reachable('http://0.0.0.0:3000/mcp')).toBe('http://127.0.0.1:3000/mcp');
    expect(reachable('http://[::]:3000/mcp')).toBe('http://[::1]:3000/mcp');
    expect(reachable('http://demo.local:3000/mcp')).toBe('http://demo.local:3000/mcp');
  });

  it.each(['http', ' ', '-1', '65536', '3000.5', '0x10'])('is refused when PORT is "%s"', async (PORT) => {
    await expect(listen(app(), { PORT })).rejects.toThrow(CannotListenError);
    await expect(listen(app(), { PORT })).rejects.toThrow(`PORT is "${PORT}"; it must be a number from 0 to 65535.`);
  });
});
