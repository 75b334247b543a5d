import { CallToolResultSchema, CompleteResultSchema, GetPromptResultSchema, ReadResourceResultSchema } from '@modelcontextprotocol/core';
import { notificationMisfit } from '../../src/protocol/shapes/notifications.js';
import { resultMisfit } from '../../src/protocol/shapes/results.js';

const text = { type: 'text', text: 'a' };
const call = (...content: unknown[]) => ({ resultType: 'complete', content });
const read = (...contents: unknown[]) => ({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', contents });
const prompt = (...messages: unknown[]) => ({ resultType: 'complete', messages });
const list = (member: string, ...entries: unknown[]) => ({ resultType: 'complete', ttlMs: 0, cacheScope: 'public', [member]: entries });

/** What the official package says of the same value. */
const OFFICIAL: Record<string, { safeParse(value: unknown): { success: boolean } }> = {
  'tools/call': CallToolResultSchema,
  'prompts/get': GetPromptResultSchema,
  'resources/read': ReadResourceResultSchema,
  'completion/complete': CompleteResultSchema,
};
const GOOD: [string, unknown][] = [
  ['tools/call', call()],
  [
    'tools/call',
    call(text, { ...text, annotations: { audience: ['user'], priority: 0, lastModified: '2026-07-28T12:00:00Z' }, _meta: {} }),
  ],
  ['tools/call', call({ type: 'audio', data: 'AA==', mimeType: 'audio/wav', whatever: 1 })],
  ['tools/call', call({ type: 'resource', resource: { uri: 'a://b', blob: 'AAAA' } })],
  ['tools/call', call({ type: 'resource_link', uri: 'a://b', name: 'b', size: 5, icons: [{ src: 'data:,x', sizes: ['any'] }] })],
  ['prompts/get', prompt({ role: 'assistant', content: text })],
  ['resources/read', read({ uri: 'a://b', text: '' })],
  ['completion/complete', { resultType: 'complete', completion: { values: ['a'], total: 1, hasMore: false } }],
];
const BAD: [string, unknown][] = [
  ['tools/call', call({ type: 'hologram' })],
  ['tools/call', call(null)],
  ['tools/call', call({ ...text, annotations: { lastModified: '2026-07-28' } })],
  ['tools/call', { resultType: 'complete', content: {} }],
  ['prompts/get', prompt({ role: 'user', content: [text] })],
  ['prompts/get', { resultType: 'complete', messages: [], description: null }],
  ['resources/read', read({ uri: 'a://b' })],
  ['resources/read', read({ uri: 'a://b', blob: '*' })],
  ['completion/complete', { resultType: 'complete', completion: { values: Array.from({ length: 101 }, () => 'a') } }],
  ['completion/complete', { resultType: 'complete', completion: { values: [1] } }],
];

describe('the shape of a result', () => {
  it.each(GOOD)('of %s fits what the official package takes: %j', (method, value) => {
    expect(resultMisfit(method, value)).toBeUndefined();
    expect(OFFICIAL[method]!.safeParse(value).success).toBe(true);
  });

  it.each(BAD)('of %s refuses what the official package refuses: %j', (method, value) => {
    expect(resultMisfit(method, value)).toMatch(/^result\S* must /);
    expect(OFFICIAL[method]!.safeParse(value).success).toBe(false);
  });

  it.each<[string, unknown, string]>([
    ['tools/list', list('tools', { name: 'a', inputSchema: { type: 'string' } }), 'result.tools[0].inputSchema.type'],
    ['tools/list', list('tools', { name: 'a' }), 'result.tools[0].inputSchema'],
    ['prompts/list', list('prompts', { name: 'a', arguments: [{}] }), 'result.prompts[0].arguments[0].name'],
    ['resources/list', list('resources', { name: 'a', uri: 5 }), 'result.resources[0].uri'],
    ['resources/templates/list', list('resourceTemplates', { name: 'a' }), 'result.resourceTemplates[0].uriTemplate'],
    ['tools/list', { ...list('tools'), nextCursor: 5 }, 'result.nextCursor'],
    ['tools/list', { ...list('tools'), ttlMs: -1 }, 'result.ttlMs'],
    ['tools/call', { resultType: 'complete' }, 'result.content'],
    ['example.com/any', { resultType: 5 }, 'result.resultType'],
    ['example.com/any', { resultType: 'complete', _meta: [] }, 'result._meta'],
    ['tools/call', { resultType: 'input_required', inputRequests: { a: { method: 'x' } } }, 'result.inputRequests["a"].method'],
    ['tools/call', { resultType: 'input_required', requestState: 5 }, 'result.requestState'],
  ])('of %s names the place: %j', (method, value, place) => {
    expect(resultMisfit(method, value)).toContain(`${place} must be`);
  });

  it('of another kind is the business of who adds it', () => {
    expect(resultMisfit('tools/call', { resultType: 'task', taskId: 'x' })).toBeUndefined();
    expect(resultMisfit('example.com/any', { resultType: 'complete', content: 5 })).toBeUndefined();
  });
});

describe('the shape of a notification', () => {
  it.each([
    { method: 'notifications/progress', params: { progressToken: 1, progress: 1, total: 2, message: 'a' } },
    { method: 'notifications/message', params: { level: 'info', data: null } },
    { method: 'notifications/resources/updated', params: { uri: 'a://b', _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } } },
    { method: 'notifications/tools/list_changed', params: {} },
    { method: 'notifications/example.com', params: { any: 1 } },
  ])('fits %j', (message) => {
    expect(notificationMisfit({ jsonrpc: '2.0', ...message })).toBeUndefined();
  });

  it.each([
    [{ method: 'notifications/progress', params: { progressToken: 1.5, progress: 1 } }, 'params.progressToken'],
    [{ method: 'notifications/progress', params: { progressToken: 1, progress: Number.NaN } }, 'params.progress'],
    [{ method: 'notifications/progress', params: { progressToken: 1, progress: 1, message: 5 } }, 'params.message'],
    [{ method: 'notifications/message', params: { level: 'loud', data: 1 } }, 'params.level'],
    [{ method: 'notifications/message', params: { level: 'info' } }, 'params.data'],
    [{ method: 'notifications/resources/updated', params: { uri: 5 } }, 'params.uri'],
    [{ method: 'notifications/example.com', params: { _meta: 5 } }, 'params._meta'],
    [{ method: 5 }, 'method'],
  ])('refuses %j', (message, place) => {
    expect(notificationMisfit(message)).toContain(`the notification.${place} must be`);
  });
});
