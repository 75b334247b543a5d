import type { Delivery } from '../../dispatch/exchange.js';
import type { DispatchReply, MessageDispatcher } from '../../dispatch/message-dispatcher.js';
import { isJsonObject, UNCHANGING, unchangingText } from '../../protocol/json.js';
import type { McpResult, RequestId, RequestMessage } from '../../protocol/messages.js';
import { errorToHttpStatus } from '../../errors/error-to-json-rpc.js';
import { ErrorCode } from '../../protocol/vocabulary.js';

/** A reply as it goes out: one line of JSON. */
export interface EncodedReply {
  readonly text: string;
  readonly status: number;
  /** Seconds, for the header of that name. */
  readonly retryAfter?: string | undefined;
}

/** Encodes a reply, once. What JSON cannot hold becomes an internal error, which the dispatcher words and logs. */
export function encodeReply(reply: DispatchReply, request: RequestMessage, dispatcher: MessageDispatcher): EncodedReply {
  try {
    const { message, status } = reply;
    const text = 'result' in message && UNCHANGING.has(message.result) ? keptText(message.id, message.result) : JSON.stringify(message);
    return { text, status, retryAfter: status < 400 ? undefined : retryAfterOf(reply) };
  } catch (thrown) {
    const fault = dispatcher.fault(request, thrown);
    return { text: JSON.stringify(fault.message), status: fault.status };
  }
}

function keptText(id: RequestId, result: McpResult): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${unchangingText(result)}}`;
}

/** The value of `Retry-After`, in whole seconds, of a refusal that is the whole answer; undefined when it says no time. */
export function retryAfterOf({ message, status }: DispatchReply): string | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const data = 'error' in message ? message.error.data : undefined;
  const ms = isJsonObject(data) ? data.retryAfterMs : undefined;
  return typeof ms === 'number' ? String(Math.ceil(ms / 1000)) : undefined;
}

/**
 * The answer to a request at shutdown: a body that stops on its signal fails because of it, and the client should read
 * the reason rather than that failure.
 */
export function lastWord(reply: DispatchReply, request: RequestMessage): DispatchReply {
  const { message } = reply;
  return 'error' in message || message.result.isError === true ? shutdownReply(request) : reply;
}

/** The answer to a request that the server's end left without one. */
export function shutdownReply({ id }: RequestMessage): DispatchReply {
  const error = { code: ErrorCode.InternalError, message: 'Server is shutting down' };
  return { message: { jsonrpc: '2.0', id, error }, status: errorToHttpStatus(error.code) };
}

/** A `Delivery` that its transport settles once; what comes after the first time has no effect. */
export class SettledDelivery implements Delivery {
  private reached: boolean | undefined;
  private listeners: ((reached: boolean) => void)[] | undefined;

  onSettled(listener: (reached: boolean) => void): void {
    if (this.reached === undefined) (this.listeners ??= []).push(listener);
    else listener(this.reached);
  }

  settle(reached: boolean): void {
    if (this.reached !== undefined) return;
    this.reached = reached;
    const { listeners } = this;
    this.listeners = undefined;
    if (listeners !== undefined) for (const listener of listeners) listener(reached);
  }
}
