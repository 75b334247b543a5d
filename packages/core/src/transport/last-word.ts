import type { DispatchReply } from '../dispatch/message-dispatcher.js';
import { errorToHttpStatus } from '../errors/error-to-http-status.js';
import { ErrorCode } from '../protocol/error-codes.js';
import type { RequestMessage } from '../protocol/messages.js';

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
