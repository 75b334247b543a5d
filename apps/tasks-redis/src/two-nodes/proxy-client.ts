import { setTimeout } from 'node:timers/promises';
import { httpRequestOf, TASKS, type McpRequest } from '@mocapi/demo';
import { SERVED_BY } from './round-robin-proxy.js';

/** A task as `tools/call` and `tasks/get` answer it, as far as it matters here. */
export interface TaskState {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly result?: { readonly structuredContent?: unknown };
  readonly error?: { readonly code: number; readonly message: string };
}

/** An answer as a client sees it. */
export interface Answer {
  readonly task: TaskState;
  /** The node that answered. */
  readonly by: string;
}

const ATTEMPTS = 20;
const BETWEEN_ATTEMPTS_MS = 100;

/** A client that can poll tasks and sits behind the proxy. */
export class ProxyClient {
  constructor(private readonly url: string) {}

  /** Starts a task. It is sent once: nobody knows whether a lost call was carried out. */
  async start(request: McpRequest): Promise<Answer> {
    return answerOf(await this.send(request));
  }

  /** Reads the state of a task. If a node dies during the call, it retries. */
  async get(taskId: string): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.send({ method: 'tasks/get', name: taskId, params: { taskId } });
      const passing = response.status === 502 || response.status === 503;
      if (!passing || attempt === ATTEMPTS) return answerOf(response);
      await setTimeout(BETWEEN_ATTEMPTS_MS);
    }
  }

  private send(request: McpRequest): Promise<Response> {
    return fetch(this.url, { method: 'POST', ...httpRequestOf({ ...request, clientCapabilities: TASKS }) });
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const by = response.headers.get(SERVED_BY) ?? 'nobody';
  if (!response.headers.get('content-type')?.startsWith('application/json')) throw new Error(`${response.status} by ${by}: ${text}`);
  const { result, error } = JSON.parse(text) as { result?: TaskState; error?: { code: number; message: string } };
  if (!result) throw new Error(`${by} answered ${error?.code}: ${error?.message}`);
  return { task: result, by };
}
