import { HttpConnection, type Answer } from '../load/http-connection.js';
import { load, type Operation } from '../load/http-load.js';
import { requestBytes, taskCall, taskGet, taskUpdate, toolCall, type McpCall } from '../load/mcp-request.js';
import type { Cell } from '../measure/cell.js';
import type { Subject } from '../measure/subject.js';
import { ECHO_TEXT } from '../servers/echo-text.js';

const ARGS = { text: ECHO_TEXT };
const TASK_ID = /"taskId":"([^"]+)"/;
const POLLS = 5000;
const CONNECTIONS = 16;

type MakeOperation = (connection: HttpConnection, server: Subject) => Operation | Promise<Operation>;

/** How a cell puts its operation on the wire. */
export interface HttpCellSettings {
  readonly title: string;
  readonly subject: string;
  readonly operation: MakeOperation;
  /** Connections that are busy at once. @default 16 */
  readonly connections?: number;
  /** Whether Redis works for it, so that its CPU time is read. */
  readonly usesRedis?: boolean;
}

/** A cell that repeats one operation over connections to a server. */
export function httpCell({ title, subject, operation, connections: count = CONNECTIONS, usesRedis = false }: HttpCellSettings): Cell {
  return {
    title,
    subject,
    usesRedis,
    begin: async (server) => {
      const connections = await openConnections(server, count);
      const made = await operation(connections[0]!, server);
      // Accepted and warm: what a connection costs at its start is not part of an operation.
      await Promise.all(connections.map((connection) => connection.exchange(made.request())));
      return async (length) => {
        // Redis needs the second core.
        const done = await load(connections, made, { ...length, isAwake: !usesRedis });
        for (const connection of connections) connection.close();
        return done;
      };
    },
  };
}

/** Opened for each shot, since servers close connections that are idle between two of them. */
function openConnections({ port }: Subject, count: number): Promise<HttpConnection[]> {
  return Promise.all(Array.from({ length: count }, () => HttpConnection.open(port)));
}

/** A call of an echo tool. */
export const callEcho = (tool: string) => (): Operation => ({ request: always(toolCall(tool, ARGS)), expected: ECHO_TEXT });

/** The list of all tools, whose last one has that name. */
export const listTools = (last: string) => (): Operation => ({
  request: always({ method: 'tools/list', params: {} }),
  expected: `"${last}"`,
});

/** One request that makes a task; its body completes behind the answer. */
export const createTask = (): Operation => ({ request: always(taskCall('task_echo', ARGS)), expected: '"resultType":"task"' });

/** The same, then one poll. */
export const createAndPoll = (): Operation => ({
  ...createTask(),
  expected: '"taskId"',
  follow: (answer) => requestBytes(taskGet(taskIdIn(answer))),
});

/** One request that makes a task with a question, and one that answers it; the body then completes. */
export const createAndAnswer = (): Operation => ({
  request: always(taskCall('task_ask', ARGS)),
  expected: '"resultType"',
  follow: (answer) => requestBytes(taskUpdate(taskIdIn(answer))),
});

/** A poll of a task that has completed. */
export async function pollCompleted(connection: HttpConnection): Promise<Operation> {
  const taskId = await completedTask(connection, taskCall('task_keep', ARGS));
  return { request: always(taskGet(taskId)), expected: ECHO_TEXT };
}

/** Polls of `count` completed tasks, in turn or in any order. They are made once for a server. `expected` is what each answer holds. */
export function pollMany(
  count: number,
  { call, expected, order = 'turn' }: { call?: McpCall; expected?: string; order?: 'turn' | 'any' } = {},
): MakeOperation {
  const polls = new WeakMap<Subject, Buffer[]>();
  return async (connection, server) => {
    const known = polls.get(server) ?? (await makePolls(connection, { count, call: call ?? taskCall('task_keep', ARGS) }));
    polls.set(server, known);
    let at = 0;
    const next = order === 'turn' ? () => (at += 1) % known.length : () => Math.floor(Math.random() * known.length);
    return { request: () => known[next()]!, expected: expected ?? ECHO_TEXT };
  };
}

async function makePolls(connection: HttpConnection, { count, call }: { count: number; call: McpCall }): Promise<Buffer[]> {
  const create = requestBytes(call);
  const taskIds: string[] = [];
  for (let made = 0; made < count; made += 1) taskIds.push(taskIdIn(await connection.exchange(create)));
  for (const taskId of taskIds.slice(-100)) await completion(connection, taskId);
  return taskIds.map((taskId) => requestBytes(taskGet(taskId)));
}

/** Makes a task and waits for its end. */
export async function completedTask(connection: HttpConnection, call: McpCall): Promise<string> {
  const taskId = taskIdIn(await connection.exchange(requestBytes(call)));
  await completion(connection, taskId);
  return taskId;
}

async function completion(connection: HttpConnection, taskId: string): Promise<void> {
  const poll = requestBytes(taskGet(taskId));
  for (let time = 0; time < POLLS; time += 1) if ((await connection.exchange(poll)).includes('"completed"')) return;
  throw new Error('The task has not completed');
}

/** @throws where the answer names no task */
export function taskIdIn(answer: Answer): string {
  const [, taskId] = TASK_ID.exec(answer.toString()) ?? [];
  if (taskId === undefined) throw new Error(`No task in: ${answer.toString()}`);
  return taskId;
}

function always(call: McpCall): () => Buffer {
  const bytes = requestBytes(call);
  return () => bytes;
}
