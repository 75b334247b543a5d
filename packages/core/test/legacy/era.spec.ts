import { isLegacyRequest } from '@modelcontextprotocol/server';
import type { JsonValue } from '../../src/protocol/json.js';
import { legacyRoute } from '../../src/transport/legacy/classify-era.js';
import { ENVELOPE, INITIALIZE, older } from './legacy-harness.js';

const BODIES: Record<string, unknown> = {
  handshake: INITIALIZE,
  'handshake with an envelope': older('initialize', { _meta: ENVELOPE }),
  'handshake with half an envelope': older('initialize', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
  'handshake with an envelope of an older revision': older('initialize', {
    _meta: { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2025-11-25' },
  }),
  'request without params': older('tools/list'),
  'request with other _meta': older('tools/call', { name: 'x', _meta: { progressToken: 1 } }),
  'request with an envelope': older('tools/list', { _meta: ENVELOPE }),
  'request with a broken envelope': older('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': 1 } }),
  'request with an unknown revision': older('tools/list', {
    _meta: { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
  }),
  'request with params that are an array': { jsonrpc: '2.0', id: 1, method: 'tools/list', params: [] },
  'request whose id is null': { jsonrpc: '2.0', id: null, method: 'ping' },
  notification: { jsonrpc: '2.0', method: 'notifications/initialized' },
  'notification with an envelope': { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: ENVELOPE } },
  response: { jsonrpc: '2.0', id: 1, result: {} },
  'error response': { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
  batch: [older('ping'), older('tools/list', undefined, 2)],
  'batch with a modern element': [older('ping'), older('tools/list', { _meta: ENVELOPE }, 2)],
  'empty batch': [],
  number: 1,
  text: 'x',
  'other object': { a: 1 },
};
const VERSIONS = [undefined, '2025-03-26', '2025-11-25', '2026-07-28', ' 2026-07-28 ', 'nonsense'];

describe('the era of a message', () => {
  const cells = Object.entries(BODIES).flatMap(([what, body]) => VERSIONS.map((version) => ({ what, body, version })));

  it.each(cells)('is what the official server says of $what under the header $version', async ({ body, version }) => {
    const headers = new Headers({ 'content-type': 'application/json', ...(version !== undefined && { 'mcp-protocol-version': version }) });
    const official = await isLegacyRequest(new Request('http://localhost/', { method: 'POST', headers }), body);
    const ours = legacyRoute(body as JsonValue, version === undefined ? {} : { 'mcp-protocol-version': version });
    // The older leg would answer a response under the header of now by an error whose id is null, which that revision's schema forbids.
    const isResponseOfNow =
      version?.trim() === '2026-07-28' && body !== null && typeof body === 'object' && ('result' in body || 'error' in body);
    expect(ours !== undefined).toBe(official && !isResponseOfNow);
  });
});
