import { McpArg, McpContext, McpResource, McpResourceTemplate, type McpHandlerContext } from '@mocapi/core';
import { ForbiddenException, Injectable, NotFoundException } from '@nestjs/common';
import { z } from 'zod';
import { SurfaceApp } from './surface-app.js';

@Injectable()
class Resources {
  bodies = 0;

  @McpResource({
    uri: 'app://config',
    title: 'Config',
    description: 'All settings',
    mimeType: 'application/json',
    size: 7,
    annotations: { priority: 1 },
  })
  config(): object {
    this.bodies += 1;
    return { a: 1 };
  }

  @McpResource({ uri: 'app://logo', mimeType: 'image/png', cache: { ttl: 'PT1M', scope: 'public' } })
  logo(): Uint8Array {
    return new Uint8Array([1, 2, 3]);
  }

  @McpResource({ uri: 'app://gone' })
  gone(): never {
    throw new NotFoundException('It was deleted');
  }

  @McpResource({ uri: 'app://locked' })
  locked(): never {
    throw new ForbiddenException('Locked');
  }

  @McpResource({ uri: 'app://nothing' })
  nothing(): undefined {
    return undefined;
  }

  // Declared first: specificity comes before the order.
  @McpResourceTemplate({ uriTemplate: 'app://{+rest}' })
  rest(@McpArg('rest') rest: string): string {
    return `rest ${rest}`;
  }

  @McpResourceTemplate({ uriTemplate: 'app://users/{id}', description: 'A user', mimeType: 'text/plain' })
  user(@McpArg('id', { schema: 'integer' }) id: number): string {
    return `user ${typeof id} ${id}`;
  }

  @McpResourceTemplate({ uriTemplate: 'app://users/{id}/posts/{post}' })
  post(@McpArg('id') id: string, @McpArg('post') post: string): string {
    return `post ${post} of ${id}`;
  }

  @McpResourceTemplate({ uriTemplate: 'search://all{?q,limit}' })
  search(@McpArg('q', { default: 'anything' }) q: string, @McpArg('limit', { schema: 'integer', default: 10 }) limit: number): string {
    return `${limit} of ${q}`;
  }

  @McpResourceTemplate({ uriTemplate: 'ask://{what}' })
  async asking(@McpArg('what') what: string, @McpContext() ctx: McpHandlerContext): Promise<string> {
    const answer = await ctx.elicit('why', { message: 'Why?', schema: z.object({ why: z.string() }) });
    return `${what} because ${answer.action === 'accept' ? answer.content.why : answer.action}`;
  }
}

let app: SurfaceApp;
beforeAll(async () => {
  app = await SurfaceApp.start({ providers: [Resources], options: { cache: { readTtl: 'PT5S', scope: 'private' } } });
});
afterAll(() => app.close());

const textOf = (reply: { result?: any }): string => reply.result.contents[0].text;

describe('resources/list and resources/templates/list', () => {
  it('show each in the order of declaration, resources and templates apart', async () => {
    const { result } = await app.request('resources/list');
    expect(result!.resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'app://config',
      'app://logo',
      'app://gone',
      'app://locked',
      'app://nothing',
    ]);
    expect(result!.resources[0]).toEqual({
      uri: 'app://config',
      name: 'config',
      title: 'Config',
      description: 'All settings',
      mimeType: 'application/json',
      size: 7,
      annotations: { priority: 1 },
    });
    const { resourceTemplates } = (await app.request('resources/templates/list')).result!;
    expect(resourceTemplates[1]).toEqual({ uriTemplate: 'app://users/{id}', name: 'user', description: 'A user', mimeType: 'text/plain' });
    expect(resourceTemplates).toHaveLength(5);
  });
});

describe('resources/read', () => {
  it('reads a resource', async () => {
    const { result } = await app.read('app://config');
    expect(result!.contents).toEqual([{ uri: 'app://config', mimeType: 'application/json', text: '{"a":1}' }]);
  });

  it('sends bytes as base64', async () => {
    expect((await app.read('app://logo')).result!.contents).toEqual([{ uri: 'app://logo', mimeType: 'image/png', blob: 'AQID' }]);
  });

  it.each([
    ['an exact URI before every template', 'app://config', '{"a":1}'],
    ['the more specific template before the wider', 'app://users/7', 'user number 7'],
    ['the longer template for what only it matches', 'app://users/7/posts/x', 'post x of 7'],
    ['the wider template for the rest', 'app://users/7/x', 'rest users/7/x'],
    ['the URI decoded', 'app://users/a%20b/posts/%C3%BC', 'post ü of a b'],
    ['the parameters of a query, and their defaults', 'search://all?limit=3', '3 of anything'],
    ['no query at all', 'search://all', '10 of anything'],
  ])('takes %s', async (_what, uri, text) => {
    const reply = await app.read(uri);
    expect(textOf(reply)).toBe(text);
    expect(reply.result!.contents[0].uri).toBe(uri);
  });

  it('compares URIs character by character', async () => {
    expect(textOf(await app.read('app://Config'))).toBe('rest Config');
    expect(textOf(await app.read('app://config/'))).toBe('rest config/');
  });

  it.each(['other://x', 'other', '', 'app:// x', 'search://all?z=1', 'app://%zz'])(
    'answers -32602 with data.uri for what is not there: %j',
    async (uri) => {
      const { status, error } = await app.read(uri);
      expect({ status, error }).toEqual({ status: 200, error: { code: -32602, message: `Unknown resource: ${uri}`, data: { uri } } });
    },
  );

  it('answers -32602 for a URI beyond its bounds', async () => {
    const start = 'app://';
    expect((await app.read(start.padEnd(2048, 'x'))).result).toBeDefined();
    expect((await app.read(start.padEnd(2049, 'x'))).error).toEqual({ code: -32602, message: 'params.uri is longer than 2048 characters' });
    expect((await app.request('resources/read', { uri: 7 })).error?.code).toBe(-32602);
  });

  it('answers variables that do not conform with -32602, data.uri and the issues', async () => {
    expect((await app.read('app://users/seven')).error).toMatchObject({
      code: -32602,
      data: { uri: 'app://users/seven', issues: [{ path: 'id' }] },
    });
  });

  it('answers a 404 of the body with -32602 and data.uri, any other failure with -32603', async () => {
    expect((await app.read('app://gone')).error).toEqual({ code: -32602, message: 'It was deleted', data: { uri: 'app://gone' } });
    expect((await app.read('app://locked')).error).toEqual({ code: -32603, message: 'Locked' });
  });

  it('never answers with empty contents', async () => {
    expect((await app.read('app://nothing')).error).toMatchObject({
      code: -32603,
      message: 'Internal error',
      data: { errorId: expect.any(String) },
    });
  });

  it('removed methods stay unknown', async () => {
    expect((await app.request('resources/subscribe', { uri: 'app://config' })).error?.code).toBe(-32601);
  });
});

describe('the caching hints of a read', () => {
  it("are the resource's own, else the module's", async () => {
    expect((await app.read('app://logo')).result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
    expect((await app.read('app://config')).result).toMatchObject({ ttlMs: 5000, cacheScope: 'private' });
  });

  it('forbid to keep what answers of a user went into', async () => {
    const asked = (await app.read('ask://x')).result!;
    expect(asked).toMatchObject({ resultType: 'input_required' });
    expect(asked).not.toHaveProperty('ttlMs');
    const inputResponses = { why: { action: 'accept', content: { why: 'so' } } };
    const { result } = await app.request('resources/read', { uri: 'ask://x', requestState: asked.requestState!, inputResponses });
    expect(result).toMatchObject({ contents: [{ text: 'x because so' }], ttlMs: 0, cacheScope: 'private' });
  });

  it('are zero for answers that came without a token too', async () => {
    const inputResponses = { why: { action: 'accept', content: { why: 'so' } } };
    expect((await app.request('resources/read', { uri: 'ask://y', inputResponses })).result).toMatchObject({
      ttlMs: 0,
      cacheScope: 'private',
    });
  });

  it('belong to one URI: the token of another is refused', async () => {
    const { requestState } = (await app.read('ask://x')).result!;
    expect((await app.request('resources/read', { uri: 'ask://z', requestState: requestState! })).error?.code).toBe(-32602);
  });
});
