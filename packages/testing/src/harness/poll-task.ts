import type { GetTaskResult } from '@mocapi/tasks';
import type { McpReply } from './mcp-reply.js';
import type { McpTestClient } from './mcp-test-client.js';

/** The state that `pollTask` waits for, and for how long. */
export interface PollTaskOptions {
  /** @default any state but `working` */
  readonly until?: (task: GetTaskResult) => boolean;
  /** @default 5000 */
  readonly timeoutMs?: number;
}

/** The task did not reach the state in time, or `tasks/get` was refused. */
export class PollTaskError extends Error {
  constructor(
    readonly taskId: string,
    problem: string,
    /** The last answer of `tasks/get`. */
    readonly last: McpReply<GetTaskResult>,
  ) {
    super(`Task ${taskId}: ${problem}; the last answer was ${last.raw}`);
    this.name = 'PollTaskError';
  }
}

const LONGEST_WAIT_MS = 20;

/**
 * Calls `tasks/get` until the task reaches the wanted state: at first without a pause, then with pauses that grow to
 * 20 ms.
 * @throws PollTaskError with the last answer, if the time is over or the task cannot be read
 */
export async function pollTask(client: McpTestClient, taskId: string, options: PollTaskOptions = {}): Promise<GetTaskResult> {
  const { until = ({ status }) => status !== 'working', timeoutMs = 5000 } = options;
  const deadline = performance.now() + timeoutMs;
  for (let round = 0; ; round++) {
    const reply = await client.request<GetTaskResult>('tasks/get', { taskId });
    if (!reply.result) throw new PollTaskError(taskId, 'tasks/get was refused', reply);
    if (until(reply.result)) return reply.result;
    if (performance.now() >= deadline) throw new PollTaskError(taskId, `not as wanted after ${timeoutMs} ms`, reply);
    await pause(round);
  }
}

function pause(round: number): Promise<void> {
  if (round < 3) return new Promise((resolve) => void setImmediate(resolve));
  return new Promise((resolve) => void setTimeout(resolve, Math.min(2 ** (round - 3), LONGEST_WAIT_MS)));
}
