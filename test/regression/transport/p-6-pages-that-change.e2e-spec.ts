import { McpRegistrar } from '@mocapi/core';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { call } from './raw-client.js';

describe('P-6: a client that pages while entries come and go misses none and sees none twice', () => {
  let app: McpTestingApp;
  let registrar: McpRegistrar;
  beforeEach(async () => {
    app = await createMcpTestingApp({ providers: [], options: { pageSize: 2 } });
    registrar = app.app.get(McpRegistrar);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await add(name);
  });
  afterEach(() => app.close());

  const add = (name: string): Promise<void> => registrar.addTool({ name, description: name, handler: () => name });

  /** All names in the order of the pages; `between` runs behind the first. */
  async function paged(between: () => unknown): Promise<string[]> {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = (await call(app.url, 'tools/list', cursor === undefined ? {} : { cursor })).json;
      names.push(...result.tools.map(({ name }: { name: string }) => name));
      if (cursor === undefined) await between();
      cursor = result.nextCursor as string | undefined;
    } while (cursor !== undefined);
    return names;
  }

  it('one before the cursor is removed', async () => {
    expect(await paged(() => registrar.removeTool('a'))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('one behind the cursor is removed', async () => {
    expect(await paged(() => registrar.removeTool('d'))).toEqual(['a', 'b', 'c', 'e', 'f']);
  });

  it('one is removed and another added', async () => {
    expect(await paged(async () => (registrar.removeTool('a'), add('g')))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('the one that the cursor names is removed: the client is asked to list again', async () => {
    const { nextCursor } = (await call(app.url, 'tools/list')).json.result as { nextCursor: string };
    registrar.removeTool('b');
    expect((await call(app.url, 'tools/list', { cursor: nextCursor })).json.error?.code).toBe(-32602);
  });
});
