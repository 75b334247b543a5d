import { McpArgs, McpTool } from '@mocapi/core';
import { McpTask, McpTasksModule } from '@mocapi/tasks';
import { createMcpTestingApp, type McpTestingApp } from '@mocapi/testing';
import { Injectable } from '@nestjs/common';
import { ArrayUnique, IsArray, IsString } from 'class-validator';

/** Milliseconds of processor time: far above a linear check of a mebibyte, far below a quadratic one. */
const BOUND_MS = 2500;
const TASKS = { 'io.modelcontextprotocol/tasks': {} };

const objectWith = (x: object): object => ({ type: 'object', properties: { x } });

class Tags {
  @IsArray()
  @IsString({ each: true })
  @ArrayUnique()
  tags!: string[];
}

@Injectable()
class Tools {
  @McpTool({ description: 'Takes an address', inputSchema: objectWith({ type: 'string', format: 'url' }) as never })
  address(): string {
    return 'ok';
  }

  @McpTool({ description: 'Takes a text', inputSchema: objectWith({ type: 'string', pattern: '^(a+)+$' }) as never })
  text(): string {
    return 'ok';
  }

  @McpTool({ description: 'Takes things that differ', inputSchema: objectWith({ type: 'array', uniqueItems: true }) as never })
  things(): string {
    return 'ok';
  }

  @McpTool({ description: 'Takes tags that differ' })
  tagged(@McpArgs() { tags }: Tags): number {
    return tags.length;
  }

  @McpTask()
  @McpTool({ description: 'Takes anything', inputSchema: { type: 'object' } })
  anything(@McpArgs({ schema: { type: 'object' } }) _args: object): string {
    return 'ok';
  }
}

const HOSTILE: readonly (readonly [string, string, object])[] = [
  ['a URL that is checked by its format', 'address', { x: `http://${'1:'.repeat(60_000)}` }],
  ['a text that its pattern backtracks on', 'text', { x: `${'a'.repeat(27)}!` }],
  ['a long list of things that must differ', 'things', { x: Array.from({ length: 100_000 }, (_, index) => index) }],
  ['a long list of tags that must differ', 'tagged', { tags: Array.from({ length: 100_000 }, (_, index) => `${index}`) }],
];

describe('hostile arguments', () => {
  let testing: McpTestingApp;

  beforeAll(async () => {
    testing = await createMcpTestingApp({ imports: [McpTasksModule.forRoot()], providers: [Tools] });
  });

  afterAll(() => testing.close());

  it.each(HOSTILE)(
    'cost no more than a linear check of them: %s',
    async (_, tool, args) => {
      // Processor time of this process, which serves and calls: what other processes do does not count.
      const before = process.cpuUsage();
      await testing.client().callTool(tool, args as never);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(BOUND_MS);
    },
    60_000,
  );

  it('that JSON cannot hold are an invalid request, and no internal error', async () => {
    const reply = await post(testing.url, { name: 'anything', arguments: { x: 'HUGE' } });

    expect(reply).not.toContain('Internal error');
    expect(reply).toContain('-32600');
  });
});

/** A number beyond what a double holds has to be written by hand. */
async function post(url: string, params: object): Promise<string> {
  const capabilities = { elicitation: {}, extensions: TASKS };
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': capabilities };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'anything',
  };
  const response = await fetch(url, { method: 'POST', headers, body: body.replace('"HUGE"', '1e400') });
  return response.text();
}
