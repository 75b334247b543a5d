import { McpModule } from '@mocapi/core';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { request, send } from './raw-client.js';

describe('A-12: whoever runs the server reads which Host and Origin it refuses', () => {
  let app: NestFastifyApplication;
  const warned: string[] = [];
  let url: string;

  beforeEach(async () => {
    @Module({ imports: [McpModule.forRoot({ name: 'x', version: '1', shutdown: { notice: 0, drain: 0 } })] })
    class AppModule {}

    warned.length = 0;
    const silent = (): void => {};
    const logger = { log: silent, error: silent, warn: (message: string) => void warned.push(message) };
    app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger, abortOnError: false });
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as { port: number }).port}/mcp`;
  });
  afterEach(() => app.close());

  const post = async (headers: Record<string, string>): Promise<number> =>
    (await send(url, { headers, body: request('tools/list') })).status;

  it('once for each, with the option that would allow it', async () => {
    for (const host of ['mcp.example.com', 'mcp.example.com', 'other.example.com']) expect(await post({ host })).toBe(403);
    for (let again = 0; again < 2; again++) expect(await post({ origin: 'https://app.example.com' })).toBe(403);
    expect(warned.filter((text) => text.includes('"mcp.example.com"') && text.includes('allowedHosts'))).toHaveLength(1);
    expect(warned.filter((text) => text.includes('"other.example.com"') && text.includes('allowedHosts'))).toHaveLength(1);
    expect(warned.filter((text) => text.includes('"https://app.example.com"') && text.includes('allowedOrigins'))).toHaveLength(1);
  });

  it('and a stranger who sends a new one each time does not fill the log', async () => {
    for (let index = 0; index < 120; index++) await post({ host: `h${index}.example.com` });
    const named = warned.filter((text) => text.includes('.example.com'));
    expect(named.length).toBeGreaterThan(10);
    expect(named.length).toBeLessThanOrEqual(50);
  });
});
