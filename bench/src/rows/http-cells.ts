import { HttpConnection, type Answer } from '../load/http-connection.js';
import { load, type Operation } from '../load/http-load.js';
import { requestBytes, taskCall, taskGet, toolCall } from '../load/mcp-request.js';
import type { Cell } from '../measure/cell.js';
import type { Subject } from '../measure/subject.js';
import { ECHO_TEXT } from '../servers/echo-text.js';

const ARGS = { text: ECHO_TEXT };
const TASK_ID = /"taskId":"([^"]+)"/;
const POLLS = 200;

const CONNECTIONS = 16;

type MakeOperation = (connection: HttpConnection) => Operation | Promise<Operation>;

/** A cell that sends the operation over all connections of a server. */
export function httpCell(title: string, subject: string, operation: MakeOperation): Cell {
  return {
    title,
    subject,
    begin: async (server) => {
      const connections = await openConnections(server);
      const made = await operation(connections[0]!);
      // Accepted and warm: what a connection costs at its start is not part of an operation.
      await Promise.all(connections.map((connection) => connection.exchange(made.request)));
      return async (length) => {
        const done = await load(connections, made, length);
        for (const connection of connections) connection.close();
        return done;
      };
    },
  };
}

/** Opened for each shot, since servers close connections that are idle between two of them. */
function openConnections({ port }: Subject): Promise<HttpConnection[]> {
  return Promise.all(Array.from({ length: CONNECTIONS }, () => HttpConnection.open(port)));
}

/** A call of an echo tool. */
export const callEcho = (tool: string) => (): Operation => ({ request: requestBytes(toolCall(tool, ARGS)), expected: ECHO_TEXT });

/** The list of all tools, whose last one has that name. */
export const listTools = (last: string) => (): Operation => ({
  request: requestBytes({ method: 'tools/list', params: {} }),
  expected: `"${last}"`,
});

/** One request that makes a task; its body completes behind the answer. */
export const createTask = (): Operation => ({ request: requestBytes(taskCall('task_echo', ARGS)), expected: '"resultType":"task"' });

/** The same, then one poll. */
export const createAndPoll = (): Operation => ({
  ...createTask(),
  expected: '"taskId"',
  follow: (answer) => requestBytes(taskGet(taskIdIn(answer))),
});

/** A poll of a task that has completed. */
export async function pollCompleted(connection: HttpConnection): Promise<Operation> {
  const taskId = await completedTask(connection);
  return { request: requestBytes(taskGet(taskId)), expected: ECHO_TEXT };
}

/** Makes a task and waits for its end. */
export async function completedTask(connection: HttpConnection): Promise<string> {
  const { request } = createTask();
  const taskId = taskIdIn(await connection.exchange(request));
  const poll = requestBytes(taskGet(taskId));
  for (let time = 0; time < POLLS; time += 1) if ((await connection.exchange(poll)).includes('"completed"')) return taskId;
  throw new Error('The task has not completed');
}

/** @throws where the answer names no task */
export function taskIdIn(answer: Answer): string {
  const [, taskId] = TASK_ID.exec(answer.toString()) ?? [];
  if (taskId === undefined) throw new Error(`No task in: ${answer.toString()}`);
  return taskId;
}
