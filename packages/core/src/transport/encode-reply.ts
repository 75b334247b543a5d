import type { DispatchReply, MessageDispatcher } from '../dispatch/message-dispatcher.js';
import { isJsonObject } from '../protocol/json.js';
import type { RequestMessage } from '../protocol/messages.js';

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
    return { text: JSON.stringify(reply.message), status: reply.status, retryAfter: retryAfterOf(reply) };
  } catch (thrown) {
    const fault = dispatcher.fault(request, thrown);
    return { text: JSON.stringify(fault.message), status: fault.status };
  }
}

/** The value of `Retry-After`, in whole seconds, of a refusal that is the whole answer; undefined when it says no time. */
export function retryAfterOf({ message, status }: DispatchReply): string | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const data = 'error' in message ? message.error.data : undefined;
  const ms = isJsonObject(data) ? data.retryAfterMs : undefined;
  return typeof ms === 'number' ? String(Math.ceil(ms / 1000)) : undefined;
}
