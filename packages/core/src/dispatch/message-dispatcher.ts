import type { MaybePromise } from '../protocol/maybe-promise.js';
import type { NotificationMessage, RequestMessage, ResponseMessage } from '../protocol/messages.js';
import type { Entering } from './endpoint-gate.js';
import type { Exchange, RoutingHeaders } from './exchange.js';

/** The answer to a request, and the HTTP status it has when it is the whole response. */
export interface DispatchReply {
  readonly message: ResponseMessage;
  readonly status: number;
  /** The guards at the entrance refused: the whole HTTP answer is this, whatever frames it. */
  readonly refused?: boolean;
}

/** Receives the messages of every transport. */
export interface MessageDispatcher {
  /** Answers a request, at once where nothing waits. Never throws or rejects: whatever goes wrong is an error response. */
  dispatch(message: RequestMessage, exchange: Exchange): MaybePromise<DispatchReply>;
  /**
   * Takes a notification, which is never answered. Returns the reason why a transport with headers must reject it, an
   * error without an id.
   * @param headers only of a transport that has headers
   */
  notify(message: NotificationMessage, headers?: RoutingHeaders): DispatchReply | undefined;
  /**
   * Asks the guards of the endpoint about a message that is answered without `dispatch`. Never rejects.
   * @returns the refusal, without an id; undefined when the caller may have that answer
   */
  admit(entering: Entering): Promise<DispatchReply | undefined>;
  /**
   * The error response for something that went wrong outside `dispatch`, such as a result that cannot be encoded.
   * Undefined is a request that was not read yet; its error has no id.
   */
  fault(message: RequestMessage | undefined, thrown: unknown): DispatchReply;
}
