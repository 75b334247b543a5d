const PROTOCOL_VERSION = '2026-07-28';
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** The lines a person may paste next, with the whole envelope that the revision asks for. */
export function thingsToTry(url: string): string {
  return [
    'Call a tool:',
    curl(url, { name: 'add', arguments: { a: 2, b: 3 } }),
    'Start a task:',
    curl(url, { name: 'batch_resize', arguments: { count: 50 } }, TASKS),
    'Ask how far it is, with the taskId of that answer:',
    `TASK=…; ${curlOf(url, { method: 'tasks/get', name: '$TASK', params: { taskId: '$TASK' } }, TASKS)}`,
    'Let the official inspector follow one to its end (it needs Node 22.19 or later):',
    `npx @modelcontextprotocol/inspector@latest --cli ${url} --transport http --protocol-era modern --method tools/call --tool-name batch_resize --tool-arg count=5`,
  ].join('\n');
}

function curl(url: string, call: { name: string; arguments: object }, clientCapabilities: object = {}): string {
  return curlOf(url, { method: 'tools/call', name: call.name, params: call }, clientCapabilities);
}

interface Request {
  readonly method: string;
  /** What `Mcp-Name` repeats of the params. */
  readonly name: string;
  readonly params: object;
}

function curlOf(url: string, { method, name, params }: Request, clientCapabilities: object): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': clientCapabilities,
  };
  const headers = [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${PROTOCOL_VERSION}`,
    `Mcp-Method: ${method}`,
    `Mcp-Name: ${name}`,
  ];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
  return `curl -sS ${url} ${headers.map((header) => `-H ${quoted(header)}`).join(' ')} -d ${quoted(body)}`;
}

/** For a shell: within single quotes nothing is replaced, so a variable is let out of them. */
function quoted(text: string): string {
  return `'${text.replaceAll('$TASK', `'"$TASK"'`)}'`;
}
