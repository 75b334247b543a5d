import { ErrorCode } from '../../protocol/vocabulary.js';
import type { RequestId, WireError } from '../../protocol/messages.js';
import { type FastifyReply, makeLast, sendJson } from './fastify.js';

/**
 * A refusal of the HTTP layer, before there is a message to answer: a JSON-RPC error without an id (MCP transports
 * "Sending messages"). The texts are fixed: they echo nothing of the request and reveal nothing about the server.
 */
export interface Refusal {
  readonly status: number;
  readonly body: string;
}

/** One refusal, encoded once. */
function refusal(status: number, message: string, code: number = ErrorCode.InvalidRequest): Refusal {
  return Object.freeze({ status, body: JSON.stringify({ jsonrpc: '2.0', error: { code, message } }) });
}

/** Every refusal of the HTTP layer. */
export const Refusals = {
  HostRepeated: refusal(400, 'Bad request: more than one Host header'),
  HostNotAllowed: refusal(403, 'Forbidden: the Host header does not name a host of this server'),
  OriginNotAllowed: refusal(403, 'Forbidden: the Origin is not allowed'),
  MethodNotAllowed: refusal(405, 'Method not allowed: the endpoint accepts only POST'),
  BodyUnreadable: refusal(400, 'Bad request: the body ended early or could not be decoded'),
  BodyTimeout: refusal(408, 'Request timeout: the body did not arrive in time'),
  BodyTooLarge: refusal(413, 'Content too large'),
  NotJson: refusal(415, 'Unsupported media type: the Content-Type must be application/json'),
  Encoded: refusal(415, 'Unsupported media type: send the body without a Content-Encoding'),
  BadRequest: refusal(400, 'Bad request'),
  Internal: refusal(500, 'Internal error', ErrorCode.InternalError),
  ShuttingDown: refusal(503, 'Server is shutting down', ErrorCode.InternalError),
} as const;

/** A refusal that says which request it refuses. */
export function refusalOf(id: RequestId | undefined, refused: Refusal): Refusal {
  if (id === undefined) return refused;
  const { error }: { readonly error: WireError } = JSON.parse(refused.body);
  return { status: refused.status, body: JSON.stringify({ jsonrpc: '2.0', id, error }) };
}

/** Whole seconds after which another server, or this one come up again, may be asked. */
export const RETRY_AFTER_S = '1';

/** Sends a refusal; what other hooks have set on the reply goes with it. */
export function sendRefusal(reply: FastifyReply, { status, body }: Refusal): void {
  if (status === 405) reply.header('allow', 'POST');
  if (status === 503) reply.header('retry-after', RETRY_AFTER_S);
  if (body === Refusals.Encoded.body) reply.header('accept-encoding', 'identity');
  // What remains of these bodies is not worth waiting for.
  if (status === 408 || status === 503) makeLast(reply);
  sendJson(reply, status, body);
}
