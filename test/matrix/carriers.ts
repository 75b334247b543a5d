import { McpTasksModule } from '@mocapi/tasks';
import { accept, answerInput, createMcpTestingApp, pollTask, type McpReply, type McpTestClient, type McpTestingApp } from '@mocapi/testing';
import { providers } from './handlers.js';

/** The kinds of handler, one column each. */
export type Kind = 'tool' | 'prompt' | 'resource' | 'template';

/** How an execution comes about. */
export type Carrier = 'sync' | 'wire replay' | 'task' | 'resumed task';

const REQUESTS: Record<Kind, { readonly method: string; readonly params: object }> = {
  tool: { method: 'tools/call', params: { name: 'thing', arguments: { x: 'x' } } },
  prompt: { method: 'prompts/get', params: { name: 'thing', arguments: { x: 'x' } } },
  resource: { method: 'resources/read', params: { uri: 'thing:fixed' } },
  template: { method: 'resources/read', params: { uri: 'thing://x' } },
};

/** The JSON-RPC method by which a handler of the kind is run. */
export const methodOf = (kind: Kind): string => REQUESTS[kind].method;

/** The application of the matrix. */
export function startMatrixApp(): Promise<McpTestingApp> {
  return createMcpTestingApp({ imports: [McpTasksModule.forRoot()], providers });
}

/** Sends the request of a kind. */
export function send(client: McpTestClient, kind: Kind): Promise<McpReply> {
  const { method, params } = REQUESTS[kind];
  return client.request(method, params as never);
}

const ANSWERS = { q: accept({ a: 'yes' }) };

/** Runs a handler to its end on a carrier. @returns the text it answered with */
export async function runOn(carrier: Carrier, kind: Kind, testing: McpTestingApp): Promise<string> {
  const client = testing.client();
  switch (carrier) {
    case 'sync':
      return textOf((await send(client, kind)).result);
    case 'wire replay':
      return textOf((await answerInput(client, await send(client, kind), ANSWERS)).result);
    case 'task':
      return finished(client.withTasks(), await taskOf(client.withTasks(), kind));
    case 'resumed task': {
      const taskId = await taskOf(client.withTasks(), kind);
      await pollTask(client.withTasks(), taskId);
      await answerInput(client.withTasks(), { taskId }, ANSWERS);
      return finished(client.withTasks(), taskId);
    }
  }
}

async function taskOf(client: McpTestClient, kind: Kind): Promise<string> {
  const { result, raw } = await send(client, kind);
  if (result?.resultType !== 'task') throw new Error(`It became no task: ${raw}`);
  return result.taskId!;
}

async function finished(client: McpTestClient, taskId: string): Promise<string> {
  const task = await pollTask(client, taskId);
  if (task.status !== 'completed') throw new Error(`The task is ${task.status}`);
  return textOf(task.result);
}

// Each kind says its text in another place.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function textOf(result: any): string {
  const texts = [result?.content?.[0], result?.messages?.[0].content, result?.contents?.[0]];
  const found = texts.find((content) => content !== undefined);
  if (!found) throw new Error(`No text: ${JSON.stringify(result)}`);
  return found.text as string;
}
