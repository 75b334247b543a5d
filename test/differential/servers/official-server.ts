import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMcpHandler,
  createRequestStateCodec,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import type { Change, Endpoint, PairSettings } from './endpoint.js';
import { fetchListener } from './fetch-listener.js';
import { INSTRUCTIONS, MAX_BODY_BYTES, SERVER } from './fixtures.js';
import { registerAsking } from './official-asking.js';
import { registerSurface } from './official-surface.js';
import { registerEcho, registerTools } from './official-tools.js';

type Handler = ReturnType<typeof createMcpHandler>;

const codec = createRequestStateCodec({ key: 'a key of the test, and of nothing else' });

/** Starts the official handler over the fixtures, behind the official checks of Host and Origin, at `/mcp`. */
export async function startOfficial({ legacy, isWhole }: PairSettings): Promise<Endpoint> {
  const handler = createMcpHandler(isWhole ? wholeServer : smallServer, { legacy, maxRequestBodySize: MAX_BODY_BYTES });
  const http = createServer(fetchListener((request) => guarded(handler, request)));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    port: (http.address() as AddressInfo).port,
    announce: (change) => announce(handler, change),
    close: async () => {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function wholeServer(): McpServer {
  const server = new McpServer(SERVER, {
    instructions: INSTRUCTIONS,
    capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
    requestState: { verify: codec.verify },
  });
  registerTools(server);
  registerAsking(server, (answers) => codec.mint(answers));
  registerSurface(server);
  return server;
}

function smallServer(): McpServer {
  const server = new McpServer(SERVER);
  registerEcho(server);
  return server;
}

async function guarded(handler: Handler, request: Request): Promise<Response> {
  if (new URL(request.url).pathname !== '/mcp') return new Response(null, { status: 404 });
  return (
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    handler.fetch(request)
  );
}

function announce({ notify }: Handler, change: Change): void {
  if (change === 'tools') notify.toolsChanged();
  else if (change === 'prompts') notify.promptsChanged();
  else if (change === 'resources') notify.resourcesChanged();
  else notify.resourceUpdated(change.slice('resource '.length));
}
