const PROTOCOL_VERSION = '2026-07-28';
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The lines a person may paste next, with the whole envelope that the revision asks for. */
export function thingsToTry(url: string): string {
  return [
    'Call a tool:',
    curl(url, { name: 'add', arguments: { a: 2, b: 3 } }),
    'Start a task (ask for its progress with tasks/get and the taskId of the answer):',
    curl(url, { name: 'batch_resize', arguments: { count: 50 } }, { extensions: { [TASKS_EXTENSION]: {} } }),
    'Let the official inspector follow one to its end (it needs Node 22.19 or later):',
    `npx @modelcontextprotocol/inspector@latest --cli ${url} --transport http --protocol-era modern --method tools/call --tool-name batch_resize --tool-arg count=5`,
  ].join('\n');
}

function curl(url: string, call: { name: string; arguments: object }, clientCapabilities: object = {}): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': clientCapabilities,
  };
  const headers = [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${PROTOCOL_VERSION}`,
    'Mcp-Method: tools/call',
    `Mcp-Name: ${call.name}`,
  ];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call, _meta } });
  return `curl -sS ${url} ${headers.map((header) => `-H '${header}'`).join(' ')} -d '${body}'`;
}
