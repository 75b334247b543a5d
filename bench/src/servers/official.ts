import { createServer } from 'node:http';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { listenHttp } from './listen.js';
import { toolName } from './many-tools-name.js';

const count = Number(process.env['BENCH_TOOLS'] ?? 0);
const ECHO = { description: 'Echoes a text', inputSchema: z.object({ text: z.string().max(1000) }) };
const echo = ({ text }: { text: string }) => ({ content: [{ type: 'text' as const, text }] });

// The official server as its documents show it: an McpServer for each request, behind the guards for Host and Origin.
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool('echo_zod', ECHO, echo);
  for (let index = 1; index < count; index += 1) server.registerTool(toolName(index), ECHO, echo);
  return server;
});
const respond = toNodeHandler(handler);
const isHost = localhostHostValidation();
const isOrigin = localhostOriginValidation();
await listenHttp(
  createServer((request, response) => {
    if (isHost(request, response) && isOrigin(request, response)) void respond(request, response);
  }),
);
