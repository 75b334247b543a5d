import type { JsonObject } from '@mocapi/core';
import { pollTask, type McpReply, type McpTestClient } from '@mocapi/testing';
import { many } from '../fixture/bomb-schemas.js';

/** A request whose check is dear. */
export interface Bomb {
  readonly name: string;
  send(client: McpTestClient): Promise<McpReply>;
}

const EMPTY = 33_000;
/** Just below the number of objects that a message may hold. */
const MANY_EMPTY = 240_000;
/** Rows whose text is just below the limit of a body, 4 MiB. */
const MOST_EMPTY = 1_300_000;
/** Only the last member of each union fits. */
const ROW = { list: many(50, () => ({ pad: 'x', more: 'y', tag: 'i13' })), tag: 'o13' };
const ALMOST = { ...ROW, list: [...ROW.list, { pad: 'x', more: 'y', tag: 'none' }] };
const HOSTILE = `${'a'.repeat(28)}!`;

/** Small and large ones for every place where a value of a client is checked. */
export const BOMBS: readonly Bomb[] = [
  ...['tagged', 'untagged', 'nested', 'byZod'].flatMap((tool) => [
    rows(
      tool,
      `${EMPTY} × {}`,
      many(EMPTY, () => ({})),
    ),
    rows(
      tool,
      `${MANY_EMPTY} × {}`,
      many(MANY_EMPTY, () => ({})),
    ),
    rows(
      tool,
      `${MOST_EMPTY} × {}`,
      many(MOST_EMPTY, () => ({})),
    ),
  ]),
  ...['nested', 'byZod'].flatMap((tool) => [
    rows(
      tool,
      '1 MB that fits',
      many(550, () => ROW),
    ),
    rows(
      tool,
      '3.5 MB that fits',
      many(1_900, () => ROW),
    ),
    rows(tool, '3.5 MB that almost fits', [...many(1_900, () => ROW), ALMOST]),
  ]),
  { name: 'slug', send: (client) => client.callTool('slug', { slug: HOSTILE }) },
  { name: 'slugPrompt', send: (client) => client.request('prompts/get', { name: 'slugPrompt', arguments: { slug: HOSTILE } }) },
  ...[EMPTY, MOST_EMPTY].flatMap((count) => [
    { name: `picks ${count}`, send: (client: McpTestClient) => answerCall(client, picks(count)) },
    { name: `picksTask ${count}`, send: (client: McpTestClient) => answerTask(client, picks(count)) },
  ]),
];

function rows(tool: string, what: string, value: readonly JsonObject[]): Bomb {
  const args = { rows: value } as unknown as JsonObject;
  return { name: `${tool} ${what}`, send: (client) => client.callTool(tool, args) };
}

function picks(count: number): JsonObject {
  return { picks: { action: 'accept', content: { picks: many(count, () => '') } } };
}

async function answerCall(client: McpTestClient, inputResponses: JsonObject): Promise<McpReply> {
  const { result, raw } = await client.callTool('picks');
  if (result?.requestState === undefined) throw new Error(`picks did not ask: ${raw}`);
  return client.callTool('picks', {}, { requestState: result.requestState, inputResponses });
}

async function answerTask(client: McpTestClient, inputResponses: JsonObject): Promise<McpReply> {
  const { result, raw } = await client.callTool('picksTask');
  if (result?.taskId === undefined) throw new Error(`picksTask is no task: ${raw}`);
  const { taskId } = result;
  await pollTask(client, taskId, { timeoutMs: 30_000 });
  await client.request('tasks/update', { taskId, inputResponses });
  await pollTask(client, taskId, { timeoutMs: 30_000 });
  const reply = await client.request('tasks/get', { taskId });
  await client.request('tasks/cancel', { taskId });
  return reply;
}
