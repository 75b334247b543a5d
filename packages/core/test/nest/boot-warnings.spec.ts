import { randomBytes } from 'node:crypto';
import { McpModule, type McpModuleOptions } from '@mocapi/core';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

/** What is warned of while an application with two endpoints comes up, bound to every address of the machine. */
async function warningsOf(options: Partial<McpModuleOptions>): Promise<string[]> {
  @Module({
    imports: [
      McpModule.forRoot({ name: 'own', version: '1', exposed: 'on-purpose', ...options }),
      McpModule.forRoot({ endpoint: 'admin', name: 'admin', version: '1', path: '/admin/mcp', exposed: 'on-purpose', ...options }),
    ],
  })
  class AppModule {}

  const warnings: string[] = [];
  const silent = (): void => {};
  const logger = { log: silent, error: silent, warn: (message: string) => void warnings.push(message) };
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger, abortOnError: false });
  await app.listen(0, '0.0.0.0');
  await app.close();
  return warnings;
}

describe('what an application with several endpoints is warned of at boot', () => {
  it('names the endpoint that it is about, once for each', async () => {
    const warnings = await warningsOf({});
    const expected = [
      /^Endpoint "root": requestState\.keys is not set/,
      /^Endpoint "admin": requestState\.keys is not set/,
      /, but \/mcp only answers requests from this machine/,
      /, but \/admin\/mcp only answers requests from this machine/,
    ];
    expect(warnings).toHaveLength(expected.length);
    for (const text of expected) expect(warnings.filter((warning) => text.test(warning))).toHaveLength(1);
  });

  it('is nothing once both are set up', async () => {
    const requestState = { keys: [{ id: 'a', key: randomBytes(32) }] };
    expect(await warningsOf({ allowedHosts: ['example.com'], requestState })).toEqual([]);
  });
});
