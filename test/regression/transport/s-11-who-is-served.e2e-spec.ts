import { networkInterfaces } from 'node:os';
import { McpModule, McpPrincipalSource } from '@mocapi/core';
import { Injectable, Module, type CanActivate, type ModuleMetadata } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { headersOf, request, send } from './raw-client.js';

/** An address of this machine that is none of its loopback ones. */
const OUTSIDE = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

@Injectable()
class Everybody implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Injectable()
class Someone extends McpPrincipalSource {
  resolve(): { id: string } {
    return { id: 'someone' };
  }
}

describe('S-11: a server that asks nobody serves this machine alone', () => {
  let app: NestFastifyApplication | undefined;
  afterEach(() => app?.close());

  async function create(options: Record<string, unknown> = {}, parts: ModuleMetadata = {}): Promise<NestFastifyApplication> {
    const shutdown = { notice: 0, drain: 0 };
    const root = McpModule.forRoot({ name: 'x', version: '1', shutdown, ...options });

    @Module({ ...parts, imports: [root] })
    class AppModule {}

    app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: false, abortOnError: false });
    return app;
  }

  /** The fault that `listen` rejects with; undefined when it listens. */
  async function refusalOf(nest: NestFastifyApplication, ...where: [string?]): Promise<string | undefined> {
    try {
      await nest.listen(0, ...(where as [string]));
      return undefined;
    } catch (error) {
      return String(error);
    }
  }

  it.each(['0.0.0.0', '::', ...(OUTSIDE === undefined ? [] : [OUTSIDE])])(
    'it refuses to listen on %s, and says what to write',
    async (host) => {
      const nest = await create({ allowedHosts: ['mcp.example.com'] });
      const refusal = await refusalOf(nest, host);
      expect(refusal).toContain('/mcp');
      expect(refusal).toContain("exposed: 'on-purpose'");
      expect(nest.getHttpServer().listening).toBe(false);
      expect(nest.getHttpServer().address()).toBeNull();
    },
  );

  it.each<[string, Record<string, unknown>, ModuleMetadata]>([
    ['an APP_GUARD', {}, { providers: [{ provide: APP_GUARD, useClass: Everybody }] }],
    ['guards of the endpoint', { guards: [Everybody] }, {}],
    ['a principal source', { providers: [{ provide: McpPrincipalSource, useClass: Someone }] }, {}],
    ["exposed: 'on-purpose'", { exposed: 'on-purpose' }, {}],
  ])('it listens everywhere with %s', async (_what, options, parts) => {
    const nest = await create(options, parts);
    expect(await refusalOf(nest, '0.0.0.0')).toBeUndefined();
  });

  it.each([['127.0.0.1'], ['localhost'], [undefined]])('it listens on %s', async (host) => {
    const nest = await create();
    expect(await refusalOf(nest, ...(host === undefined ? [] : ([host] as [string])))).toBeUndefined();
  });

  it('names each endpoint that asks nobody', async () => {
    const admin = McpModule.forRoot({ endpoint: 'admin', path: '/admin/mcp', name: 'admin', version: '1' });

    @Module({ imports: [McpModule.forRoot({ name: 'x', version: '1' }), admin] })
    class Both {}

    app = await NestFactory.create<NestFastifyApplication>(Both, new FastifyAdapter(), { logger: false, abortOnError: false });
    const refusal = await refusalOf(app, '0.0.0.0');
    expect(refusal).toContain('at /mcp');
    expect(refusal).toContain('at /admin/mcp');
  });

  const describeOutside = OUTSIDE === undefined ? describe.skip : describe;

  describeOutside('to those who come from outside', () => {
    const statusOf = async (nest: NestFastifyApplication, from: string, host: string): Promise<number> => {
      const { port } = nest.getHttpServer().address() as { port: number };
      const headers = { ...headersOf('tools/list'), host };
      return (await send(`http://${from}:${port}/mcp`, { headers, body: request('tools/list') })).status;
    };

    it.each(['localhost', 'localhost:3000', '127.0.0.1', '[::1]'])('a Host of %s opens nothing', async (host) => {
      const nest = await create({ guards: [Everybody] });
      await nest.listen(0, '0.0.0.0');
      expect(await statusOf(nest, OUTSIDE!, host)).toBe(403);
      expect(await statusOf(nest, '127.0.0.1', host)).toBe(200);
    });

    it('a loopback name opens when it is allowed by name', async () => {
      const nest = await create({ guards: [Everybody], allowedHosts: ['localhost'] });
      await nest.listen(0, '0.0.0.0');
      expect(await statusOf(nest, OUTSIDE!, 'localhost')).toBe(200);
    });
  });
});
