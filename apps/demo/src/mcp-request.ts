/** The revision that the demo's clients speak. */
export const PROTOCOL_VERSION = '2026-07-28';

/** Capabilities of a client that can poll tasks. */
export const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** A request as its method sees it. */
export interface McpRequest {
  readonly method: string;
  /** The value of `Mcp-Name`, which repeats a param. */
  readonly name: string;
  readonly params: object;
  /** Capabilities of the client. @default nothing */
  readonly clientCapabilities?: object;
}

/** A call of a tool. */
export function callOf(name: string, args: object): McpRequest {
  return { method: 'tools/call', name, params: { name, arguments: args } };
}

/** The same request as it goes over HTTP, with the whole envelope that the revision asks for. */
export function httpRequestOf({ method, name, params, clientCapabilities = {} }: McpRequest): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': clientCapabilities,
  };
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': PROTOCOL_VERSION,
    'Mcp-Method': method,
    'Mcp-Name': name,
  };
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }) };
}
