import type { JsonObject } from '@mocapi/core';

/** One HTTP answer, and the JSON-RPC messages in its body. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The last message of the body: the answer. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly message: any;
}

/** Posts a body as it is. An undefined header is left out. */
export async function post(url: string, body: unknown, headers: Record<string, string | undefined> = {}): Promise<WireAnswer> {
  const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await fetch(url, { method: 'POST', headers: sent, body: typeof body === 'string' ? body : JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, message: messagesOf(text).at(-1) };
}

function messagesOf(text: string): unknown[] {
  if (text === '') return [];
  if (!text.startsWith('event:') && !text.startsWith('data:') && !text.startsWith(':')) return [JSON.parse(text)];
  const lines = text.split('\n').filter((line) => line.startsWith('data:'));
  return lines.map((line) => JSON.parse(line.slice('data:'.length)) as unknown);
}

const ENVELOPE = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

/** A request of 2026-07-28. */
export function request(method: string, params: JsonObject = {}, id: number | string = 1): JsonObject {
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: ENVELOPE } };
}

/** The routing headers of a request of 2026-07-28. */
export function routing(method: string, name?: string): Record<string, string> {
  return { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name === undefined ? {} : { 'mcp-name': name }) };
}

/** A request of an older client. */
export function olderRequest(method: string, params: JsonObject = {}, id: number | string = 1): JsonObject {
  return { jsonrpc: '2.0', id, method, params };
}

/** The revision that older clients name in a header. */
export const OLDER = { 'mcp-protocol-version': '2025-06-18' };

/** Where a request goes, and with which further headers. */
export interface Target {
  readonly url: string;
  readonly headers?: Record<string, string>;
}

/** Posts a request of 2026-07-28 with its routing headers. */
export function call({ url, headers }: Target, method: string, params: JsonObject = {}): Promise<WireAnswer> {
  const name = method === 'resources/read' ? params.uri : (params.name ?? params.taskId);
  return post(url, request(method, params), { ...routing(method, typeof name === 'string' ? name : undefined), ...headers });
}

/** Posts a request of an older client. */
export function olderCall({ url, headers }: Target, method: string, params: JsonObject = {}): Promise<WireAnswer> {
  return post(url, olderRequest(method, params), { ...OLDER, ...headers });
}
