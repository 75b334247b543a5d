import { HttpConnection } from '../load/http-connection.js';
import { Subject, type SubjectSettings } from '../measure/subject.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestBytes, taskGet, type McpCall } from '../load/mcp-request.js';
import { taskIdIn } from '../rows/http-cells.js';

/** Connections beside the first one. */
const MORE = 7;

/** A server of a probe's own, and one connection to it. */
export interface ProbeServer {
  readonly subject: Subject;
  readonly connection: HttpConnection;
}

/** Runs a scenario on a server that is started for it and ends with it. */
export async function withServer<T>(settings: SubjectSettings, run: (server: ProbeServer) => Promise<T>): Promise<T> {
  const subject = await Subject.start(settings);
  try {
    const connection = await HttpConnection.open(subject.port);
    return await run({ subject, connection });
  } finally {
    await subject.stop();
  }
}

/** Makes tasks over some connections at once. Resolves to the id of each. */
export async function createTasks({ subject, connection }: ProbeServer, call: McpCall, count: number): Promise<string[]> {
  const request = requestBytes(call);
  const taskIds: string[] = [];
  let left = count;
  const create = async (through: HttpConnection): Promise<void> => {
    while ((left -= 1) >= 0) taskIds.push(taskIdIn(await through.exchange(request)));
  };
  const others = await Promise.all(Array.from({ length: Math.min(MORE, count - 1) }, () => HttpConnection.open(subject.port)));
  await Promise.all([connection, ...others].map(create));
  for (const other of others) other.close();
  return taskIds;
}

/** Polls until the task has that status. */
export async function untilStatus({ connection }: ProbeServer, taskId: string, status: string): Promise<void> {
  const poll = requestBytes(taskGet(taskId));
  const deadline = performance.now() + 120_000;
  while (!(await connection.exchange(poll)).includes(`"status":"${status}"`)) {
    if (performance.now() > deadline) throw new Error(`The task is not ${status}`);
    await sleep(5);
  }
}
