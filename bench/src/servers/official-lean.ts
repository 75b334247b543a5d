import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { listenHttp } from './listen.js';

// The least that the official server asks for: a low-level server for each request, arguments unchecked, on plain node:http.
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: String(params.arguments?.['text']) }],
  }));
  return server;
});
const respond = toNodeHandler(handler);
await listenHttp(createServer((request, response) => void respond(request, response)));
