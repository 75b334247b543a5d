import type { McpReply } from '@mocapi/testing';
import { pollTask, type McpTestClient } from '@mocapi/testing';
import type { End } from '../compare/observation.js';
import { takePass } from '../model/journal.js';
import { script } from '../model/surface.js';
import { endOfReply, endOfResult, observed } from './answers.js';
import type { Carrier } from './carrier.js';

/** A call that becomes a task, which the client polls to its end. */
export const task: Carrier = {
  name: 'task',
  leavesEarly: true,
  obstacle: () => undefined,
  async run(ground, { surface, input }) {
    script.asks = false;
    takePass();
    const client = ground.client.withTasks();
    const headers = input.headers ?? {};
    const reply = await client.callTool(`${surface.id}.task`, input.args, { headers });
    const end = reply.result?.resultType === 'task' ? await endOfTask(client, reply, headers) : endOfReply(reply);
    return observed([takePass()], end, reply);
  },
};

/** Polls a task to its end. */
export async function endOfTask(client: McpTestClient, { result }: McpReply, headers: Readonly<Record<string, string>>): Promise<End> {
  const done = await pollTask(withHeaders(client, headers), result!.taskId!);
  if (done.status === 'completed') return endOfResult(done.result);
  const { error } = done as { error?: { code: number; message: string } };
  return { kind: 'refused', code: error?.code, said: [error?.message ?? `the task is ${done.status}`] };
}

/** The same client with headers on every request, since guards see every request. */
export function withHeaders(client: McpTestClient, headers: Readonly<Record<string, string>>): McpTestClient {
  return Object.create(client, {
    request: {
      value: (method: string, params: never, options: { headers?: object } = {}) =>
        client.request(method, params, { ...options, headers: { ...headers, ...options.headers } }),
    },
  }) as McpTestClient;
}
