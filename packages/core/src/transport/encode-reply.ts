import type { DispatchReply, MessageDispatcher } from '../dispatch/message-dispatcher.js';
import type { RequestMessage } from '../protocol/messages.js';

/** A reply as it goes out: one line of JSON. */
export interface EncodedReply {
  readonly text: string;
  readonly status: number;
}

/** Encodes a reply, once. What JSON cannot hold becomes an internal error, which the dispatcher words and logs. */
export function encodeReply(reply: DispatchReply, request: RequestMessage, dispatcher: MessageDispatcher): EncodedReply {
  try {
    return { text: JSON.stringify(reply.message), status: reply.status };
  } catch (thrown) {
    const fault = dispatcher.fault(request, thrown);
    return { text: JSON.stringify(fault.message), status: fault.status };
  }
}
