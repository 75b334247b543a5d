import { McpTool, type McpModuleOptions } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Controller, Get, Injectable, RequestMethod, VersioningType } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

@Injectable()
class Tools {
  @McpTool({ description: 'x' }) hello(): string {
    return 'hi';
  }
}

@Controller('cats')
class Cats {
  @Get() all(): string {
    return 'cats';
  }
}

let testing: McpTestingApp | undefined;
afterEach(async () => {
  await testing?.close();
  testing = undefined;
});

async function start(configure: (app: NestFastifyApplication) => unknown, options: Partial<McpModuleOptions> = {}): Promise<McpTestingApp> {
  return (testing = await createMcpTestingApp({ providers: [Tools], controllers: [Cats], options, configure, path: '' }));
}

/** The HTTP status of a call at each path. */
async function statuses(app: McpTestingApp, ...paths: string[]): Promise<number[]> {
  const calls = paths.map((path) => fetchStatus(`${app.url}${path}`, app));
  return Promise.all(calls);
}

async function fetchStatus(url: string, app: McpTestingApp): Promise<number> {
  const client = Object.assign(Object.create(app.client()) as ReturnType<McpTestingApp['client']>, { url });
  return (await client.callTool('hello')).status;
}

const uri = { type: VersioningType.URI } as const;

describe('a global prefix', () => {
  it('stands before the path of the endpoint, as before that of a controller', async () => {
    const app = await start((nest) => nest.setGlobalPrefix('api'));
    expect(await statuses(app, '/api/mcp', '/mcp')).toEqual([200, 404]);
    expect((await fetch(`${app.url}/api/cats`)).status).toBe(200);
  });

  it.each([
    ['by path', ['mcp']],
    ['by path and method', [{ path: 'mcp', method: RequestMethod.POST }]],
    ['by a wildcard', ['mc*rest']],
  ])('leaves out an endpoint that is excluded %s', async (_how, exclude) => {
    const app = await start((nest) => nest.setGlobalPrefix('api', { exclude }));
    expect(await statuses(app, '/mcp', '/api/mcp')).toEqual([200, 404]);
  });

  it.each([
    ['another path', ['cats']],
    ['another method', [{ path: 'mcp', method: RequestMethod.GET }]],
  ])('stands before an endpoint when %s is excluded', async (_what, exclude) => {
    const app = await start((nest) => nest.setGlobalPrefix('api', { exclude }));
    expect(await statuses(app, '/mcp', '/api/mcp')).toEqual([404, 200]);
  });

  it.each([
    ['/api/', '/mcp'],
    ['api', '/mcp/'],
  ])('of "%s" and a path of "%s" make one slash each', async (prefix, path) => {
    const app = await start((nest) => nest.setGlobalPrefix(prefix), { path });
    expect(await statuses(app, '/api/mcp')).toEqual([200]);
    expect(app.logs.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^Serving \/api\/mcp: 1 tool \(/));
  });

  it('of more than one segment, and a path of nothing but a slash, are taken as they are', async () => {
    const app = await start((nest) => nest.setGlobalPrefix('v2/api'), { path: '/' });
    expect(await statuses(app, '/v2/api')).toEqual([200]);
  });
});

describe('versioning by URI', () => {
  it('leaves the endpoint without a version, whatever the default version of the app is', async () => {
    const app = await start((nest) => nest.enableVersioning({ ...uri, defaultVersion: '1' }));
    expect(await statuses(app, '/mcp', '/v1/mcp')).toEqual([200, 404]);
    expect((await fetch(`${app.url}/v1/cats`)).status).toBe(200);
  });

  it.each([
    ['v', {}, '/v3/mcp'],
    ['another prefix', { prefix: 'version-' }, '/version-3/mcp'],
    ['no prefix', { prefix: false as const }, '/3/mcp'],
  ])('puts the version of `endpointVersion` in front, with %s', async (_what, how, path) => {
    const app = await start((nest) => nest.enableVersioning({ ...uri, ...how }), { endpointVersion: '3' });
    expect(await statuses(app, path, '/mcp')).toEqual([200, 404]);
  });

  it('puts the version behind the global prefix, and matches exclusions without it', async () => {
    const versioned = (nest: NestFastifyApplication): NestFastifyApplication => nest.enableVersioning(uri);
    const app = await start((nest) => versioned(nest).setGlobalPrefix('api'), { endpointVersion: '3' });
    expect(await statuses(app, '/api/v3/mcp')).toEqual([200]);
    await app.close();
    const excluded = await start((nest) => versioned(nest).setGlobalPrefix('api', { exclude: ['mcp'] }), { endpointVersion: '3' });
    expect(await statuses(excluded, '/v3/mcp', '/api/v3/mcp')).toEqual([200, 404]);
  });
});

describe('an `endpointVersion` that nothing would read', () => {
  it.each([
    ['no versioning', () => undefined],
    ['versioning by header', (nest: NestFastifyApplication) => nest.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' })],
  ])('fails the boot: %s', async (_what, configure) => {
    await expect(start(configure, { endpointVersion: '3' })).rejects.toThrow(
      'McpModule endpointVersion: the app does not use URI versioning',
    );
  });
});
