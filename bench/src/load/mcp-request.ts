const TASKS_CLIENT = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const PROTOCOL_VERSION = '2026-07-28';

/** One JSON-RPC request of the revision, before it is put on the wire. */
export interface McpCall {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Repeated in the `Mcp-Name` header; none where the method has no name to repeat. */
  readonly name?: string;
  /** Declares the tasks extension, so that the call may become a task, and that the client's user can be asked. */
  readonly withTasks?: boolean;
}

/** The JSON body with the whole envelope that the revision requires. */
export function bodyOf({ method, params, withTasks = false }: McpCall): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': withTasks ? TASKS_CLIENT : {},
  };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
}

/** The headers that go with it. */
export function headersOf({ method, name }: McpCall): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': PROTOCOL_VERSION,
    'Mcp-Method': method,
    ...(name === undefined ? {} : { 'Mcp-Name': name }),
  };
}

/** The bytes of a POST to `/mcp` over a connection that stays open. */
export function requestBytes(call: McpCall): Buffer {
  const body = Buffer.from(bodyOf(call));
  const headers = { Host: '127.0.0.1', Connection: 'keep-alive', ...headersOf(call), 'Content-Length': body.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

/** A call of a tool with its arguments. */
export function toolCall(name: string, args: Readonly<Record<string, unknown>>): McpCall {
  return { method: 'tools/call', name, params: { name, arguments: args } };
}

/** A call of a tool by a client that can poll tasks. */
export function taskCall(name: string, args: Readonly<Record<string, unknown>>): McpCall {
  return { ...toolCall(name, args), withTasks: true };
}

/** A poll of a task. */
export function taskGet(taskId: string): McpCall {
  return { method: 'tasks/get', name: taskId, params: { taskId }, withTasks: true };
}

/** The answer to the question `confirm` of a task. */
export function taskUpdate(taskId: string): McpCall {
  const inputResponses = { confirm: { action: 'accept', content: { confirmed: true } } };
  return { method: 'tasks/update', name: taskId, params: { taskId, inputResponses }, withTasks: true };
}

/** A stream of what becomes of a task. */
export function taskListen(taskId: string): McpCall {
  return { method: 'subscriptions/listen', params: { notifications: { taskIds: [taskId] } }, withTasks: true };
}
