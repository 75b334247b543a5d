import { Key, OUT, rpc, type Area, type Edit } from './case.js';

const notify = (method: string, params?: unknown, edit: Edit = {}) =>
  rpc(method, {}, { ...edit, message: { id: OUT, params: params === undefined ? OUT : params, ...edit.message } });
const withMeta = (method: string, edit: Edit = {}) => rpc(method, {}, { ...edit, message: { ...edit.message, id: OUT } });

/** Notifications of a client (MCP transports "Sending messages"). */
export const notifications: Area = {
  cancelled: notify('notifications/cancelled', { requestId: 1 }),
  'cancelled, with an envelope': withMeta('notifications/cancelled'),
  'cancelled, of an unknown id': notify('notifications/cancelled', { requestId: 'nobody', reason: 'x' }),
  'cancelled, without an id': notify('notifications/cancelled', {}),
  'cancelled, with params that are none': notify('notifications/cancelled', { requestId: {} }),
  initialized: notify('notifications/initialized'),
  'initialized, with an envelope': withMeta('notifications/initialized'),
  'initialized, by an older client': notify('notifications/initialized', OUT, {
    headers: { 'MCP-Protocol-Version': '2025-11-25', 'Mcp-Method': OUT },
  }),
  'initialized, by an older client without a header': notify('notifications/initialized', OUT, {
    headers: { 'MCP-Protocol-Version': OUT, 'Mcp-Method': OUT },
  }),
  'roots changed': withMeta('notifications/roots/list_changed'),
  progress: withMeta('notifications/progress'),
  'an unknown one': notify('notifications/unknown', { a: 1 }),
  'an unknown one, with an envelope': withMeta('notifications/unknown'),
  'a request method without an id': withMeta('tools/list'),
  'a call without an id': withMeta('tools/call'),
  'without Mcp-Method': withMeta('notifications/cancelled', { headers: { 'Mcp-Method': OUT } }),
  'with another Mcp-Method': withMeta('notifications/cancelled', { headers: { 'Mcp-Method': 'notifications/progress' } }),
  'without a version header': withMeta('notifications/cancelled', { headers: { 'MCP-Protocol-Version': OUT } }),
  'with another version header': withMeta('notifications/cancelled', { headers: { 'MCP-Protocol-Version': '2025-11-25' } }),
  'of an unknown version': withMeta('notifications/cancelled', { version: '2099-01-01' }),
  'without capabilities': withMeta('notifications/cancelled', { meta: { [Key.capabilities]: OUT } }),
  'of an unknown version, by the header alone': notify('notifications/cancelled', OUT, { version: '2099-01-01' }),
  'with a version that is a number': withMeta('notifications/cancelled', { meta: { [Key.version]: 5 } }),
  '_meta null': withMeta('notifications/cancelled', { meta: null }),
  'a progress token that is none': withMeta('notifications/cancelled', { meta: { progressToken: true } }),
  'unknown members': withMeta('notifications/cancelled', { message: { extra: 1 } }),
  'Mcp-Method twice': withMeta('notifications/cancelled', {
    headers: { 'Mcp-Method': ['notifications/cancelled', 'notifications/cancelled'] },
  }),
  'params an array': notify('notifications/cancelled', []),
  'params null': notify('notifications/cancelled', null),
  'jsonrpc missing': notify('notifications/cancelled', {}, { message: { jsonrpc: OUT } }),
  'to a strict server': {
    request: notify('notifications/initialized', OUT, { headers: { 'MCP-Protocol-Version': '2025-11-25', 'Mcp-Method': OUT } }),
    pair: 'strict',
  },
  'an envelope, to a strict server': { request: withMeta('notifications/cancelled'), pair: 'strict' },
};

const REMOVED = [
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'tasks/list',
  'tasks/result',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
  'sampling/createMessage',
  'elicitation/create',
  'roots/list',
  'notifications/cancelled',
  'notifications/initialized',
  'completion/unknown',
  'TOOLS/LIST',
  'tools/list ',
  'tools',
  'rpc.discover',
];

/** Methods that the revision has not, or has no more. */
export const unknownMethods: Area = {
  ...Object.fromEntries(REMOVED.map((method) => [method, rpc(method)])),
  'tasks/get of a task': rpc('tasks/get', { taskId: 'a' }, { headers: { 'Mcp-Name': 'a' } }),
  'tasks/cancel of a task without its header': rpc('tasks/cancel', { taskId: 'a' }),
  'tasks/result of a task': rpc('tasks/result', { taskId: 'a' }),
  'logging/setLevel with a level': rpc('logging/setLevel', { level: 'info' }),
  'resources/subscribe with a URI': rpc('resources/subscribe', { uri: 'demo://text' }),
  'initialize with an envelope': rpc('initialize', {
    protocolVersion: '2026-07-28',
    capabilities: {},
    clientInfo: { name: 'a', version: '1' },
  }),
  'initialize with an envelope, to a strict server': { request: rpc('initialize', { protocolVersion: '2026-07-28' }), pair: 'strict' },
  'ping by a small server': { request: rpc('ping'), pair: 'small' },
  'an unknown method with bad params': rpc('nope/nope', { a: [] }),
  'an unknown method by a strict server': { request: rpc('nope/nope'), pair: 'strict' },
};
