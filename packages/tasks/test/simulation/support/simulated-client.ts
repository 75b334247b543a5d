import { ErrorCode, McpError, type JsonObject, type JsonValue, type McpPrincipal, type McpResult } from '@mocapi/core';
import { newTaskId, taskKeyOf, type TaskRecord } from '@mocapi/tasks';
import type { History } from './history.js';
import type { Random } from './random.js';
import type { SimulatedCluster } from './simulated-cluster.js';
import type { NodeRequest, SimulatedNode } from './simulated-node.js';
import type { SimulatedTime } from './simulated-time.js';

/** What came back of a request: an answer, or nothing because its node or its patience ended. */
export type Reply =
  | { readonly kind: 'result'; readonly node: string; readonly result: McpResult }
  | { readonly kind: 'error'; readonly node: string; readonly error: McpError }
  | { readonly kind: 'lost' };

/** What a client is made of. */
export interface ClientParts {
  readonly time: SimulatedTime;
  readonly random: Random;
  readonly cluster: SimulatedCluster;
  readonly history: History;
}

const PATIENCE_MS = 3000;

/** Sends requests to any node, as behind a load balancer, and never fails itself. */
export class SimulatedClient {
  constructor(
    private readonly parts: ClientParts,
    private readonly principal: McpPrincipal | undefined,
  ) {}

  /** Sends a request to a node that is up. */
  request(method: NodeRequest['method'], params: JsonObject, ttlMs?: number): Promise<Reply> {
    const { up } = this.parts.cluster;
    if (up.length === 0) return this.parts.time.wait(50, 'no node is up').then(() => ({ kind: 'lost' }));
    return this.send(this.parts.random.pick(up), { method, params, principal: this.principal, ...(ttlMs === undefined ? {} : { ttlMs }) });
  }

  /** The answers of the same node to a task id that is another caller's, and to one that never was. */
  async probe(taskId: string): Promise<void> {
    const { up } = this.parts.cluster;
    if (up.length === 0) return;
    const node = this.parts.random.pick(up);
    const stranger = { id: 'mallory' };
    const ask = (id: string): Promise<Reply> => this.send(node, { method: 'tasks/get', params: { taskId: id }, principal: stranger });
    const [foreign, unknown] = [await ask(taskId), await ask(newTaskId())];
    if (foreign.kind === 'lost' || unknown.kind === 'lost' || isUnavailable(foreign) || isUnavailable(unknown)) return;
    this.parts.history.probes.push({ foreign: textOf(foreign), unknown: textOf(unknown) });
  }

  /** The record as the store has it now. */
  stored(taskId: string): TaskRecord | undefined {
    return this.parts.history.readable(taskKeyOf(this.principal, taskId), this.parts.time.now);
  }

  private send(node: SimulatedNode, request: Omit<NodeRequest, 'exchange'>): Promise<Reply> {
    const { time, random } = this.parts;
    const { process } = node.parts;
    const label = `${node.name} ${request.method}`;
    const gone = new AbortController();
    return new Promise((resolve) => {
      const giveUp = time.after(PATIENCE_MS, `${label} given up`, () => {
        time.after(1, { what: `${label} disconnected`, process }, () => gone.abort('disconnected'));
        resolve({ kind: 'lost' });
      });
      const answer = (reply: Reply): void => {
        giveUp();
        resolve(reply);
      };
      const serve = (): void => {
        const settled: ((reached: boolean) => void)[] = [];
        const exchange = {
          signal: gone.signal,
          notifications: { notify: () => undefined },
          delivery: { onSettled: (listener: (reached: boolean) => void) => void settled.push(listener) },
          request: { headers: {} },
        };
        void replyOf(node, { ...request, exchange }, this.parts.history).then((reply) => {
          for (const listener of settled) listener(!gone.signal.aborted);
          if (!gone.signal.aborted) time.after(random.between(1, 5), `${label} answered`, () => answer(reply));
        });
      };
      time.after(random.between(1, 5), { what: label, process }, serve);
    });
  }
}

/** Whether the server asks to come back later. */
export function isUnavailable(reply: Reply): boolean {
  return reply.kind === 'error' && reply.error.code === ErrorCode.InternalError;
}

async function replyOf(node: SimulatedNode, request: NodeRequest, history: History): Promise<Reply> {
  try {
    return { kind: 'result', node: node.name, result: await node.serve(request) };
  } catch (error) {
    if (!(error instanceof McpError)) history.defects.push(`${request.method} threw ${String(error)}`);
    return {
      kind: 'error',
      node: node.name,
      error: error instanceof McpError ? error : new McpError(ErrorCode.InternalError, 'Internal error'),
    };
  }
}

function textOf(reply: Reply): string {
  return JSON.stringify(
    reply.kind === 'error' ? { code: reply.error.code, message: reply.error.message, data: reply.error.data as JsonValue } : reply,
  );
}
