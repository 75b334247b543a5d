import { McpArg, McpComplete, McpPrompt, McpResource, McpResourceTemplate, McpTool } from '@mocapi/core';
import { McpTask } from '@mocapi/tasks';
import { Injectable } from '@nestjs/common';
import { OLDER, olderRequest, post, request, routing, type WireAnswer } from './wire.js';

/** A handler of each kind. */
@Injectable()
export class Handlers {
  @McpTool({ description: 'x' })
  enter(): string {
    return 'entered';
  }

  @McpTool({ description: 'x' })
  routed(@McpArg('region', { schema: 'string', header: 'Region' }) region: string): string {
    return region;
  }

  @McpTool({ description: 'x' })
  @McpTask({ required: true })
  background(): string {
    return 'done';
  }

  @McpPrompt()
  greet(@McpArg('name') name: string): string {
    return `Hello ${name}`;
  }

  @McpComplete({ prompt: 'greet', argument: 'name' })
  names(): string[] {
    return ['Ada'];
  }

  @McpResource({ uri: 'thing:fixed' })
  fixed(): string {
    return 'entered';
  }

  @McpResourceTemplate({ uriTemplate: 'thing://{x}' })
  template(@McpArg('x') x: string): string {
    return x;
  }
}

const modern = (method: string, params = {}, more: { name?: string; headers?: object } = {}) => ({
  body: request(method, params) as unknown,
  headers: { ...routing(method, more.name), ...more.headers } as Record<string, string | undefined>,
});
const older = (method: string, params = {}) => ({
  body: olderRequest(method, params) as unknown,
  headers: OLDER as Record<string, string | undefined>,
});
const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } };

/** One request of every kind, right and wrong, on both legs. */
export const REQUESTS: Record<string, { readonly body: unknown; readonly headers: Record<string, string | undefined> }> = {
  'a tool that exists': modern('tools/call', { name: 'enter', arguments: {} }, { name: 'enter' }),
  'an unknown tool': modern('tools/call', { name: 'nothing', arguments: {} }, { name: 'nothing' }),
  'a tool without a name': modern('tools/call', {}),
  'a tool with malformed arguments': modern('tools/call', { name: 'enter', arguments: [] }, { name: 'enter' }),
  'a tool without its Mcp-Param header': modern('tools/call', { name: 'routed', arguments: { region: 'eu' } }, { name: 'routed' }),
  'a tool that must be a task, without the extension': modern('tools/call', { name: 'background', arguments: {} }, { name: 'background' }),
  'an unknown prompt': modern('prompts/get', { name: 'nothing' }, { name: 'nothing' }),
  'a prompt with malformed arguments': modern('prompts/get', { name: 'greet', arguments: 1 }, { name: 'greet' }),
  'an unknown resource': modern('resources/read', { uri: 'nothing:' }, { name: 'nothing:' }),
  'a resource': modern('resources/read', { uri: 'thing:fixed' }, { name: 'thing:fixed' }),
  'a completion of nothing': modern('completion/complete', { ref: { type: 'ref/prompt', name: 'no' }, argument: { name: 'a', value: '' } }),
  'a malformed completion': modern('completion/complete', {}),
  'a list': modern('tools/list'),
  'a list from a malformed cursor': modern('tools/list', { cursor: 7 }),
  discovery: modern('server/discover'),
  'a subscription': modern('subscriptions/listen', { notifications: 1 }),
  'a task without the extension': modern('tasks/get', { taskId: 'x' }, { name: 'x' }),
  'an update without the extension': modern('tasks/update', { taskId: 'x' }, { name: 'x' }),
  'an unknown method': modern('nothing/at-all'),
  'another Mcp-Method than in the body': modern('tools/list', {}, { headers: { 'mcp-method': 'tools/call' } }),
  'no Mcp-Method': modern('tools/list', {}, { headers: { 'mcp-method': undefined } }),
  'no Mcp-Name': modern('tools/call', { name: 'enter', arguments: {} }),
  'an envelope without capabilities': {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } },
    headers: routing('tools/list'),
  },
  'a revision that is not served': {
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01', 'io.modelcontextprotocol/clientCapabilities': {} } },
    },
    headers: { ...routing('tools/list'), 'mcp-protocol-version': '2099-01-01' },
  },
  'a notification': {
    body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    headers: routing('notifications/cancelled'),
  },
  'JSON that is no message': { body: { jsonrpc: '1.0', id: 1, method: 'tools/list' }, headers: routing('tools/list') },
  'a tool of an older client': older('tools/call', { name: 'enter', arguments: {} }),
  'an unknown tool of an older client': older('tools/call', { name: 'nothing', arguments: {} }),
  'a task tool of an older client': older('tools/call', { name: 'background', arguments: {} }),
  'malformed arguments of an older client': older('tools/call', { name: 'enter', arguments: [] }),
  'a list of an older client': older('tools/list'),
  'an unknown method of an older client': older('nothing/at-all'),
  'the handshake of an older client': older('initialize', handshake),
  'a malformed handshake': older('initialize', {}),
  'a ping of an older client': older('ping'),
  'a notification of an older client': { body: { jsonrpc: '2.0', method: 'notifications/initialized' }, headers: OLDER },
  'an older client that takes no stream': { body: olderRequest('tools/list'), headers: { ...OLDER, accept: 'text/plain' } },
  'a batch of an older client': {
    body: [olderRequest('tools/call', { name: 'enter', arguments: {} }, 1)],
    headers: { 'mcp-protocol-version': '2025-03-26' },
  },
};

/** Sends one of them. @param more over its own headers */
export function send(url: string, kind: string, more: Record<string, string> = {}): Promise<WireAnswer> {
  const { body, headers } = REQUESTS[kind]!;
  return post(url, body, { ...headers, ...more });
}
