import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { McpModule, McpPrincipalSource, McpStdio, McpTool } from '@mocapi/core';
import { Injectable, Module, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { request } from './stdio-harness.js';

class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    return headers['x-role'] === 'admin';
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'Greets' })
  greet(): string {
    return 'Hello';
  }

  @McpTool({ description: 'For a caller with a header' })
  @UseGuards(HeaderGuard)
  purge(): string {
    return 'purged';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'stdio', version: '1', limits: { maxBodyBytes: 400 } })], providers: [Tools] })
class AppModule {}

const SILENT = { logger: false, abortOnError: false } as const;
const create = {
  'an application context': () => NestFactory.createApplicationContext(AppModule, SILENT),
  'a full application': () => NestFactory.create(AppModule, new FastifyAdapter(), SILENT),
};

function pipe(): { input: PassThrough; output: PassThrough; messages: () => any[] } {
  const output = new PassThrough();
  const messages = (): any[] =>
    ((output.read() as Buffer | null) ?? '')
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  return { input: new PassThrough(), output, messages };
}

describe.each(Object.entries(create))('serving %s on stdio', (_what, start) => {
  it('answers through its guards until the input ends', async () => {
    const app = await start();
    const { input, output, messages } = pipe();
    const serving = McpStdio.serve(app, { input, output });
    input.write(`${JSON.stringify(request(1, 'tools/call', { name: 'greet' }))}\n`);
    input.end(`${JSON.stringify(request(2, 'tools/call', { name: 'purge' }))}\n`);
    await serving;
    expect(messages().toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, result: { content: [{ text: 'Hello' }] } },
      { id: 2, error: { code: 403, message: 'Forbidden' } },
    ]);
    await app.close();
  });

  it('ends when the application closes', async () => {
    const app = await start();
    const { input, output } = pipe();
    const serving = McpStdio.serve(app, { input, output });
    // It reads from now on.
    await once(input, 'resume');
    await app.close();
    await serving;
    expect(input.isPaused()).toBe(true);
  });

  it('takes lines of up to 10 MiB, however long bodies may be, unless it is told otherwise', async () => {
    const app = await start();
    const long = JSON.stringify(request(1, 'tools/call', { name: 'greet', pad: 'x'.repeat(400) }));
    const [byDefault, told] = [pipe(), pipe()];
    byDefault.input.end(`${long}\n`);
    told.input.end(`${long}\n`);
    await McpStdio.serve(app, byDefault);
    await McpStdio.serve(app, { ...told, limits: { maxLineBytes: 400 } });
    expect(byDefault.messages()).toMatchObject([{ id: 1, result: {} }]);
    expect(told.messages()).toMatchObject([{ id: 1, error: { code: -32600 } }]);
    await app.close();
  });
});

describe('the caller on stdio', () => {
  it('is settled by the principal source from the stand-in for a request', async () => {
    const seen: object[] = [];
    class Source extends McpPrincipalSource {
      override resolve(standIn: object): undefined {
        seen.push(standIn);
      }
    }
    @Module({
      imports: [
        McpModule.forRoot({ name: 'stdio', version: '1', path: '/here', providers: [{ provide: McpPrincipalSource, useClass: Source }] }),
      ],
      providers: [Tools],
    })
    class WithSource {}
    const app = await NestFactory.createApplicationContext(WithSource, SILENT);
    const { input, output } = pipe();
    input.end(`${JSON.stringify(request(1, 'tools/call', { name: 'greet' }))}\n${JSON.stringify(request(2, 'tools/list'))}\n`);
    await McpStdio.serve(app, { input, output });
    expect(seen).toHaveLength(2);
    expect(seen[0]).not.toBe(seen[1]);
    for (const standIn of seen) expect(standIn).toMatchObject({ method: 'POST', url: '/here', headers: {} });
    await app.close();
  });
});
