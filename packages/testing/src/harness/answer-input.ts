import type { JsonObject } from '@mocapi/core';
import type { McpReply } from './mcp-reply.js';
import type { McpTestClient } from './mcp-test-client.js';

/** A user who filled in the form. */
export function accept(content: JsonObject = {}): JsonObject {
  return { action: 'accept', content };
}

/** A user who said no. */
export function decline(): JsonObject {
  return { action: 'decline' };
}

/**
 * Answers the questions of a server: those of a task by `tasks/update`, those of a call that answered `input_required` by sending it again
 * with its `requestState`.
 * @param asked the task, or the reply to the call
 * @param answers by the keys of `inputRequests`
 * @returns the reply to `tasks/update`, or to the repeated call
 */
export function answerInput(
  client: McpTestClient,
  asked: McpReply | { readonly taskId: string },
  answers: Readonly<Record<string, JsonObject>>,
): Promise<McpReply> {
  const taskId = 'taskId' in asked ? asked.taskId : asked.result?.taskId;
  if (taskId !== undefined) return client.request('tasks/update', { taskId, inputResponses: { ...answers } });
  const { request, result, raw } = asked as McpReply;
  if (result?.resultType !== 'input_required') throw new TypeError(`The server asked nothing: ${raw}`);
  const { requestState } = result;
  const retry = { inputResponses: { ...answers }, ...(requestState === undefined ? {} : { requestState }) };
  return client.request(request.method, { ...request.params, ...retry });
}
