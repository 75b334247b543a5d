import type { JsonObject } from '@mocapi/core';
import { PromptRegistry, ResourceRegistry, ResourceTemplateRegistry, ToolRegistry } from '@mocapi/core/extension';
import type { McpTestingApp } from './create-mcp-testing-app.js';
import { readMessages } from './mcp-reply.js';
import { routingHeaders } from './routing-headers.js';

/** How `expectEveryRequestRefused` asks, and which answers count as a refusal. */
export interface EveryRequestRefusedOptions {
  /** Headers of each request, such as those of a token that must not do. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Codes of a refusal in JSON-RPC errors; name your `forbiddenCode` if you have one. Default: 401 and 403. */
  readonly codes?: readonly number[];
}

interface Attempt {
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

type Ask = readonly [method: string, params: JsonObject];

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const OLDER = { 'mcp-protocol-version': '2025-06-18' };
const HANDSHAKE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'nobody', version: '1' } };
const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

/**
 * Sends one request for every tool, prompt, resource, template and completable argument of the application's own endpoint, and for every method, as
 * a client of 2026-07-28 and as an older one, a notification and a batch included. No tool or prompt runs, even if it is open: its arguments are
 * malformed. Fixed resources that are open are read.
 * @throws Error that names each request that was not refused by HTTP status 401 or 403, or by one of the codes
 */
export async function expectEveryRequestRefused(testing: McpTestingApp, options: EveryRequestRefusedOptions = {}): Promise<void> {
  const open: string[] = [];
  for (const attempt of attempts(testing)) {
    const answer = await answerOf(testing.url, attempt, options);
    if (answer !== undefined) open.push(`${attempt.what}: ${answer}`);
  }
  if (open.length > 0) throw new Error(`${open.length} requests were answered instead of refused:\n  ${open.join('\n  ')}`);
}

function attempts(testing: McpTestingApp): Attempt[] {
  const handlers = handlerAsks(testing);
  const shared = [...handlers, ...LISTS.map((method): Ask => [method, {}]), ['nothing/at-all', {}] as const];
  const modern: readonly Ask[] = [
    ...shared,
    ['server/discover', {}],
    ['subscriptions/listen', { notifications: 1 }],
    ...['tasks/get', 'tasks/update', 'tasks/cancel'].map((method): Ask => [method, { taskId: 'none' }]),
  ];
  const older: readonly Ask[] = [...shared, ['initialize', HANDSHAKE], ['ping', {}]];
  return [
    ...modern.map(([method, params]) => ({
      what: nameOf([method, params]),
      headers: routingHeaders(method, params),
      body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } },
    })),
    ...older.map(([method, params]) => ({
      what: `${nameOf([method, params])} of an older client`,
      headers: OLDER,
      body: { jsonrpc: '2.0', id: 1, method, params },
    })),
    { what: 'a notification of an older client', headers: OLDER, body: { jsonrpc: '2.0', method: 'notifications/initialized' } },
    {
      what: 'a batch of an older client',
      headers: { 'mcp-protocol-version': '2025-03-26' },
      body: [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }],
    },
  ];
}

function handlerAsks({ app }: McpTestingApp): Ask[] {
  const prompts = app.get(PromptRegistry).list();
  const templates = app.get(ResourceTemplateRegistry).list();
  const argumentsOf = (schema: JsonObject): string[] => Object.keys((schema.properties ?? {}) as JsonObject);
  const complete = (ref: JsonObject, name: string): Ask => ['completion/complete', { ref, argument: { name, value: '' } }];
  return [
    ...app
      .get(ToolRegistry)
      .list()
      .map(({ name }): Ask => ['tools/call', { name, arguments: [] }]),
    ...prompts.map(({ name }): Ask => ['prompts/get', { name, arguments: [] }]),
    ...app
      .get(ResourceRegistry)
      .list()
      .map(({ descriptor }): Ask => ['resources/read', { uri: descriptor.uri }]),
    ...templates.map(({ descriptor }): Ask => ['resources/read', { uri: descriptor.uriTemplate.replaceAll(/\{[^}]*\}/g, 'x') }]),
    ...prompts.flatMap(({ name, inputSchema }) =>
      argumentsOf(inputSchema.json).map((argument) => complete({ type: 'ref/prompt', name }, argument)),
    ),
    ...templates.flatMap(({ descriptor, inputSchema }) =>
      argumentsOf(inputSchema.json).map((argument) => complete({ type: 'ref/resource', uri: descriptor.uriTemplate }, argument)),
    ),
  ];
}

function nameOf([method, params]: Ask): string {
  const ref = params.ref as JsonObject | undefined;
  const about = params.name ?? params.uri ?? ref?.name ?? ref?.uri;
  return typeof about === 'string' ? `${method} ${about}` : method;
}

/** The answer; undefined if it is a refusal. */
async function answerOf(url: string, { headers, body }: Attempt, options: EveryRequestRefusedOptions): Promise<string | undefined> {
  const { codes = [401, 403] } = options;
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(url, { method: 'POST', headers: { ...json, ...headers, ...options.headers }, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status === 401 || response.status === 403) return undefined;
  const messages = readMessages(response.headers.get('content-type') ?? '', text).flat();
  if (messages.length > 0 && messages.every(({ error }) => error !== undefined && codes.includes(error.code))) return undefined;
  return `HTTP ${response.status} ${text.slice(0, 120)}`.trim();
}
