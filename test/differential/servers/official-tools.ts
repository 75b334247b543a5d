import {
  fromJsonSchema,
  ProtocolError,
  type CallToolResult,
  type ContentBlock,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as Fixture from './fixtures.js';

type Args = Record<string, unknown>;

export const schema = (json: object) => fromJsonSchema<Args>(json);
export const emptyInput = schema(Fixture.EMPTY_INPUT);

/** The tools that answer, by the official API. */
export function registerTools(server: McpServer): void {
  registerEcho(server);
  server.registerTool(
    'add',
    { description: 'Adds', inputSchema: schema(Fixture.ADD_INPUT), outputSchema: schema(Fixture.ADD_OUTPUT) },
    ({ a, b }) => structured({ sum: (a as number) + (b as number) }),
  );
  server.registerTool('route', { description: 'Has arguments that headers repeat', inputSchema: schema(Fixture.ROUTE_INPUT) }, (args) =>
    said(JSON.stringify(args)),
  );
  server.registerTool('shape', { description: 'Has a schema with much in it', inputSchema: schema(Fixture.SHAPE_INPUT) }, (args) =>
    said(JSON.stringify(args)),
  );
  plain(server, { name: 'nothing', description: 'Takes nothing' }, () => said('done'));
  registerContent(server);
  server.registerTool(
    'anything',
    { description: 'Any JSON', inputSchema: schema(Fixture.ANYTHING_INPUT), outputSchema: schema({}) },
    ({ kind }) => structured(Fixture.ANYTHING[kind as string] ?? null),
  );
  server.registerTool('decorated', { inputSchema: emptyInput, ...Fixture.DECORATED }, () => ({
    ...said('decorated'),
    _meta: { 'example.com/trace': 'on' },
  }));
  registerFailing(server);
  plain(server, { name: 'progresses', description: 'Reports progress' }, async (ctx) => {
    await progress(ctx, { progress: 1, total: 2, message: 'half' });
    await progress(ctx, { progress: 2, total: 2 });
    return said('done');
  });
  plain(server, { name: 'logs', description: 'Logs' }, async (ctx) => {
    await ctx.mcpReq.log('debug', 'small', 'logs');
    await ctx.mcpReq.log('warning', { size: 'big' }, 'logs');
    return said('done');
  });
}

export function registerEcho(server: McpServer): void {
  server.registerTool('echo', { description: 'Says it back', inputSchema: schema(Fixture.ECHO_INPUT) }, ({ text }) => said(text as string));
}

function registerContent(server: McpServer): void {
  const image: ContentBlock = { type: 'image', data: Fixture.PNG, mimeType: 'image/png' };
  const blocks = (...content: ContentBlock[]) => ({ content });
  plain(server, { name: 'image', description: 'An image' }, () => blocks(image));
  plain(server, { name: 'audio', description: 'A sound' }, () => blocks({ type: 'audio', data: Fixture.WAV, mimeType: 'audio/wav' }));
  plain(server, { name: 'link', description: 'A link' }, () =>
    blocks({ type: 'resource_link', uri: 'demo://text', name: 'text', mimeType: 'text/plain', size: 4 }),
  );
  plain(server, { name: 'embedded', description: 'A resource' }, () =>
    blocks({ type: 'resource', resource: { uri: 'demo://text', mimeType: 'text/plain', text: 'text' } }),
  );
  plain(server, { name: 'mixed', description: 'Several blocks' }, () =>
    blocks({ type: 'text', text: 'first', annotations: { audience: ['user'], priority: 0.5 } }, image, {
      type: 'text',
      text: 'last',
      _meta: { 'example.com/mark': 1 },
    }),
  );
  plain(server, { name: 'empty', description: 'Nothing at all' }, () => blocks());
}

function registerFailing(server: McpServer): void {
  plain(server, { name: 'fails', description: 'Says that it failed' }, () => ({ ...said('It failed'), isError: true }));
  plain(server, { name: 'throws', description: 'Breaks' }, () => {
    throw new Error('Broken');
  });
  plain(server, { name: 'refuses', description: 'Throws a protocol error' }, () => {
    throw new ProtocolError(1001, 'Out of stock', { left: 0 });
  });
  const untrue = { description: 'Breaks its output schema', inputSchema: emptyInput, outputSchema: schema(Fixture.ADD_OUTPUT) };
  server.registerTool('untrue', untrue, () => structured({ sum: 'much' }));
}

type Answer = (ctx: ServerContext) => CallToolResult | Promise<CallToolResult>;

function plain(server: McpServer, { name, description }: { name: string; description: string }, answer: Answer): void {
  server.registerTool(name, { description, inputSchema: emptyInput }, (_args, ctx) => answer(ctx));
}

export function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function structured(value: unknown): CallToolResult {
  return { ...said(JSON.stringify(value)), structuredContent: value };
}

async function progress({ mcpReq }: ServerContext, update: object): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...update } });
}
