import { callOf, httpRequestOf, TASKS, type McpRequest } from './mcp-request.js';

/** The lines a person may paste next, with the whole envelope that the revision asks for. */
export function thingsToTry(url: string): string {
  return [
    'Call a tool:',
    curlOf(url, callOf('add', { a: 2, b: 3 })),
    'Start a task:',
    curlOf(url, { ...callOf('batch_resize', { count: 50 }), clientCapabilities: TASKS }),
    'Ask for its progress, with the taskId of that answer:',
    `TASK=…; ${curlOf(url, { method: 'tasks/get', name: '$TASK', params: { taskId: '$TASK' }, clientCapabilities: TASKS })}`,
    'Let the official inspector follow a task to its end (it asks for Node 22.19; version 2.12 runs on Node 20.20 too):',
    `npx @modelcontextprotocol/inspector@latest --cli ${url} --transport http --protocol-era modern --method tools/call --tool-name batch_resize --tool-arg count=5`,
  ].join('\n');
}

/** A request as a line for a shell; `$TASK` in it is the shell's variable. */
export function curlOf(url: string, request: McpRequest): string {
  const { headers, body } = httpRequestOf(request);
  const flags = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return `curl -sS ${url} ${flags.join(' ')} -d ${quoted(body)}`;
}

/** For a shell: within single quotes nothing is replaced, so a variable is let out of them. */
function quoted(text: string): string {
  return `'${text.replaceAll('$TASK', `'"$TASK"'`)}'`;
}
