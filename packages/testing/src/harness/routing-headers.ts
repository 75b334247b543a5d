import { PROTOCOL_VERSION, type JsonObject } from '@mocapi/core';

/** The params that `Mcp-Name` repeats, by method. */
const ROUTED_PARAMS: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** The headers that a client of the revision sends with a request (MCP transports "Standard request headers"). */
export function routingHeaders(method: string, params: JsonObject): Record<string, string> {
  const routed = ROUTED_PARAMS[method];
  const name = routed === undefined ? undefined : params[routed];
  return {
    'mcp-protocol-version': PROTOCOL_VERSION,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
  };
}

/** A text as a header can hold it: as it is, or as base64 between the sentinels (MCP transports "Value encoding"). */
export function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?');
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
