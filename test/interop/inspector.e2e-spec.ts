import { sh } from '../support/sh.mjs';
import { useServer } from './harness/use-server.js';

// A release of the Inspector's first generation: the second needs Node 22.19, and later ones of the first do not start outside of its own bundle.
const INSPECTOR = `${process.execPath} node_modules/@modelcontextprotocol/inspector-cli/build/cli.js --cli`;
const STDIO = `${process.execPath} --conditions=@mocapi/source --import ./tools/register.mjs apps/stdio/src/main.ts`;

const inspect = async (target: string, what: string): Promise<any> => JSON.parse(await sh(`${INSPECTOR} ${target} ${what}`));

describe("the MCP Inspector's command line", () => {
  const server = useServer();

  it('lists and calls over HTTP', async () => {
    const target = `${server.url} --transport http`;
    const { tools } = await inspect(target, '--method tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toContain('add');
    const result = await inspect(target, '--method tools/call --tool-name add --tool-arg a=2 b=3');
    expect(result.structuredContent).toEqual({ sum: 5 });
  }, 30_000);

  it('lists and calls on stdio', async () => {
    expect((await inspect(STDIO, '--method tools/list')).tools).toHaveLength(3);
    const result = await inspect(STDIO, '--method tools/call --tool-name words --tool-arg "text=one two"');
    expect(result.structuredContent).toEqual({ words: 2 });
  }, 30_000);
});
