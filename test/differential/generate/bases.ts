import { call, EVERYTHING, Key, OUT, rpc } from '../corpus/case.js';
import type { RawRequest } from '../wire/raw-request.js';

const older = (method: string, params: Record<string, unknown>): RawRequest =>
  rpc(method, {}, { message: { params }, headers: { 'Mcp-Method': OUT, 'Mcp-Name': OUT, 'MCP-Protocol-Version': '2025-11-25' } });

/** Valid requests, for mutations to start from. */
export const BASES: readonly RawRequest[] = [
  rpc('server/discover'),
  rpc('tools/list'),
  rpc('prompts/list'),
  rpc('resources/list'),
  rpc('resources/templates/list'),
  call('echo', { text: 'hi' }),
  call('add', { a: 1, b: 2 }),
  call('route', { region: 'eu', shard: 7 }, { headers: { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Shard': '7' } }),
  call('shape', { size: 'M', tags: ['a', 'b'], form: { round: true } }),
  call('anything', { kind: 'array' }),
  call('mixed', {}),
  call('fails', {}),
  call('progresses', {}, { meta: { progressToken: 'p' } }),
  call('logs', {}, { meta: { [Key.logLevel]: 'info' } }),
  call('ask_name', {}, { capabilities: EVERYTHING }),
  call('ask_model', {}, { capabilities: EVERYTHING }),
  rpc('prompts/get', { name: 'hello' }),
  rpc('prompts/get', { name: 'greet', arguments: { name: 'Ann', tone: 'warm' } }),
  rpc('prompts/get', { name: 'grüße' }),
  rpc('resources/read', { uri: 'demo://text' }),
  rpc('resources/read', { uri: 'demo://items/7' }),
  rpc('completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'tone', value: 'w' } }),
  rpc('completion/complete', { ref: { type: 'ref/resource', uri: 'demo://items/{id}' }, argument: { name: 'id', value: '1' } }),
  rpc('nope/nope'),
  older('tools/list', {}),
  older('tools/call', { name: 'echo', arguments: { text: 'hi' } }),
  older('resources/read', { uri: 'demo://text' }),
];
