import { McpPrompt, McpRegistrar, McpResource, McpResourceTemplate, McpTool, type McpResult } from '@mocapi/core';
import { jest } from '@jest/globals';
import type { HandlerDefinition } from '../../src/discovery/handler-definition.js';
import { ToolRegistry } from '../../src/discovery/registries.js';
import type { HandlerVisibility } from '../../src/handlers/visibility/handler-visibility.js';
import { ListMethod } from '../../src/methods/list.method.js';
import { VisibleList } from '../../src/methods/visible-list.js';
import { SurfaceApp } from './surface-app.js';

const tool = (name: string) => ({ kind: 'tool', name, descriptor: { name }, where: name }) as never;

/** Callers see the tools whose name begins with their id; `o…` is seen by all. */
function toolsOf(names: string[]) {
  const registry = new ToolRegistry();
  registry.replace(names.map(tool));
  const list = jest.spyOn(registry, 'list');
  const visibility = {
    mayHide: ({ name }: HandlerDefinition) => !name.startsWith('o'),
    canSee: ({ name }: HandlerDefinition, principal?: { id: string }) => name.startsWith(principal?.id ?? '-'),
  } as unknown as HandlerVisibility;
  const cache = { listTtlMs: 0, readTtlMs: 0, scope: 'public' as const };
  const method = new ListMethod(new VisibleList(registry, visibility), {
    name: 'tools/list',
    member: 'tools',
    pageSize: 2,
    cache,
  });
  const ask = (id?: string, params: object = {}) => method.handle({ params, ...(id ? { principal: { id } } : {}) } as never);
  return { registry, list, ask };
}

const namesIn = (result: McpResult) => (result.tools as { name: string }[]).map(({ name }) => name);

describe('a list', () => {
  it('is made once for each set of handlers that is seen, and the same result is sent again', () => {
    const { ask, list } = toolsOf(['a1', 'open', 'b1', 'a2']);
    const first = ask('a');
    const asked = list.mock.calls.length;
    expect(namesIn(first)).toEqual(['a1', 'open']);
    expect(ask('a')).toBe(first);
    expect(list.mock.calls.length).toBe(asked);
    expect(namesIn(ask('b'))).toEqual(['open', 'b1']);
    expect(namesIn(ask())).toEqual(['open']);
    // Another caller who sees the same set.
    expect(ask('nobody')).toBe(ask());
  });

  it('keeps each page apart', () => {
    const { ask } = toolsOf(['a1', 'a2', 'a3', 'a4', 'a5']);
    const first = ask('a');
    const second = ask('a', { cursor: first.nextCursor });
    expect([namesIn(first), namesIn(second)]).toEqual([
      ['a1', 'a2'],
      ['a3', 'a4'],
    ]);
    expect(ask('a', { cursor: first.nextCursor })).toBe(second);
  });

  it('is made anew when the registry changes', () => {
    const { ask, registry } = toolsOf(['open']);
    const first = ask();
    registry.add(tool('other'));
    expect(namesIn(ask())).toEqual(['open', 'other']);
    registry.remove('other');
    expect(ask()).not.toBe(first);
    expect(namesIn(ask())).toEqual(['open']);
  });

  it('is private where it depends on the caller, and else as the server says', () => {
    expect(toolsOf(['open', 'a1']).ask()).toMatchObject({ cacheScope: 'private' });
    expect(toolsOf(['open']).ask()).toMatchObject({ cacheScope: 'public' });
  });

  it('is right for more sets than are kept', () => {
    const { ask } = toolsOf(Array.from({ length: 400 }, (_, index) => `${index}-`));
    for (let index = 0; index < 400; index++) expect(namesIn(ask(`${index}-`))).toContain(`${index}-`);
  });

  it.each([7, null, '', 'x', {}])('refuses a cursor that was never handed out with -32602, asked before or not: %j', async (cursor) => {
    const { ask } = toolsOf(['open']);
    ask();
    await expect(async () => ask(undefined, { cursor })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('a registry', () => {
  it('counts its changes, and refuses a key twice', () => {
    const registry = new ToolRegistry();
    const versions = [registry.version];
    registry.add(tool('a'));
    versions.push(registry.version);
    expect(() => registry.add(tool('a'))).toThrow(/already exists/);
    versions.push(registry.version);
    expect(registry.remove('b')).toBeUndefined();
    versions.push(registry.version);
    registry.remove('a');
    versions.push(registry.version);
    expect(versions).toEqual([0, 1, 1, 1, 2]);
  });
});

describe('every list', () => {
  class Many {
    @McpTool({ description: 'x' }) a(): void {}
    @McpTool({ description: 'x' }) b(): void {}
    @McpPrompt() c(): void {}
    @McpPrompt() d(): void {}
    @McpResource({ uri: 'app://e' }) e(): void {}
    @McpResource({ uri: 'app://f' }) f(): void {}
    @McpResourceTemplate({ uriTemplate: 'g://{+x}' }) g(): void {}
    @McpResourceTemplate({ uriTemplate: 'h://{+x}' }) h(): void {}
  }

  let app: SurfaceApp;
  beforeAll(async () => {
    app = await SurfaceApp.start({ providers: [Many], options: { pageSize: 1 } });
  });
  afterAll(() => app.close());

  it.each([
    ['tools/list', 'tools', ['a', 'b']],
    ['prompts/list', 'prompts', ['c', 'd']],
    ['resources/list', 'resources', ['e', 'f']],
    ['resources/templates/list', 'resourceTemplates', ['g', 'h']],
  ])('%s goes page by page, and ends without a cursor', async (method, member, names) => {
    const first = (await app.request(method)).result!;
    const last = (await app.request(method, { cursor: first.nextCursor })).result!;
    expect([...first[member], ...last[member]].map(({ name }) => name)).toEqual(names);
    expect(last).not.toHaveProperty('nextCursor');
    expect((await app.request(method, { cursor: 'bogus' })).error?.code).toBe(-32602);
  });
});

describe('a list that is sent again', () => {
  it('is the same but for the id of the request, and shows a tool that was added meanwhile', async () => {
    class One {
      @McpTool({ description: 'x' }) a(): void {}
    }
    const app = await SurfaceApp.start({ providers: [One] });
    const [first, second] = [await app.request('tools/list'), await app.request('tools/list')];
    expect(second.result).toEqual(first.result);
    expect(first.result!._meta).toHaveProperty(['io.modelcontextprotocol/serverInfo', 'name']);
    expect([first.result!.tools.length, Object.keys(second)]).toEqual([1, Object.keys(first)]);
    await app.testing.app.get(McpRegistrar, { strict: false }).addTool({ name: 'b', description: 'x', handler: () => 'b' });
    expect((await app.request('tools/list')).result!.tools.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
    await app.close();
  });
});

describe('kinds that are added at run time', () => {
  it('are offered when the server says so', async () => {
    const app = await SurfaceApp.start({ options: { advertise: ['prompts', 'resources', 'completions'] } });
    expect(Object.keys((await app.testing.client().discover()).result!.capabilities).toSorted()).toEqual([
      'completions',
      'prompts',
      'resources',
      'tools',
    ]);
    expect((await app.request('prompts/list')).result!.prompts).toEqual([]);
    expect((await app.read('app://x')).error).toMatchObject({ code: -32602, data: { uri: 'app://x' } });
    await app.close();
  });

  it('that do not exist are a boot fault', async () => {
    await expect(SurfaceApp.start({ options: { advertise: ['bogus' as never] } })).rejects.toThrow(/advertise/);
  });
});
