import { ownMeta, type RequestEnvelope } from '../../envelope/request-envelope.js';
import { readTraceContext } from '../../envelope/trace-context.js';
import { ErrorCode } from '../../protocol/vocabulary.js';
import { defined, isJsonObject, type JsonObject } from '../../protocol/json.js';
import type { RequestMessage, WireError } from '../../protocol/messages.js';
import type { Implementation, ServerCapabilities } from '../../protocol/official.js';
import { LegacyExchange, type LegacyCarrier } from './legacy-exchange.js';
import { isDispatched, type LegacyParts } from './legacy-parts.js';
import { ProtocolError, Server, type JSONRPCRequest } from './official-legacy.js';
import { toLegacyResult, toLegacyToolError } from './to-legacy-result.js';

/**
 * The official server of the 2025 revisions for one client, or for one POST of one: it speaks their handshake and their framing, and hands
 * every method that has an answer here to dispatch. So guards, principal, interceptors and handlers run as they do for any other client, once.
 */
export function createLegacyServer(parts: LegacyParts, carrier: LegacyCarrier): Server {
  const { serverInfo, instructions, capabilities } = parts;
  const server = new Server(serverInfo, { capabilities: legacyCapabilities(capabilities), instructions });
  server.fallbackRequestHandler = (request, context) => {
    if (!isDispatched(request.method)) throw new ProtocolError(ErrorCode.MethodNotFound, 'Method not found');
    const params = ownParams(request);
    const envelope = envelopeOf(request, { protocolVersion: carrier.protocolVersion, clientInfo: server.getClientVersion() });
    const message: RequestMessage = { jsonrpc: '2.0', id: request.id, method: request.method, params };
    return answer(parts, new LegacyExchange(message, envelope, { context, carrier }));
  };
  return server;
}

/** Capabilities for `initialize` where nothing is remembered between requests: no change notifications, no subscriptions, no log level. */
function legacyCapabilities({ tools, prompts, resources, completions }: ServerCapabilities): ServerCapabilities {
  return defined({ tools: tools && {}, prompts: prompts && {}, resources: resources && {}, completions: completions && {} });
}

async function answer(parts: LegacyParts, exchange: LegacyExchange): Promise<JsonObject> {
  const { method, params = {} } = exchange.message;
  const dispatched = parts.dispatcher.dispatch(exchange.message, exchange);
  const reply = await Promise.race([dispatched, exchange.aborted()]).catch((reason: Error) => {
    throw new ProtocolError(ErrorCode.InternalError, reason.message);
  });
  exchange.dispatched(reply);
  const { message } = reply;
  if ('error' in message) return refuse(exchange, message.error);
  if (message.result.resultType === 'complete') return toLegacyResult(message.result, { method, params, tool: parts.tool });
  return refuse(exchange, { code: ErrorCode.MissingRequiredClientCapability, message: 'The answer takes more than one round' });
}

/** Turns a missing feature of the client into the tool's failure, which a model can read; every other error stays as it is. */
function refuse({ message: { method }, envelope }: LegacyExchange, { code, message, data }: WireError): JsonObject {
  const isBeyond = code === ErrorCode.MissingRequiredClientCapability;
  if (isBeyond && method === 'tools/call') return toLegacyToolError(message, envelope.protocolVersion);
  throw new ProtocolError(code, message, data);
}

/** The params without what other eras put there: `task` of the 2025-11-25 experiment, and the answers of the rounds of 2026-07-28. */
function ownParams({ params }: JSONRPCRequest): JsonObject {
  const { task: _task, inputResponses: _answers, requestState: _state, ...own } = (params ?? {}) as JsonObject;
  return own;
}

function envelopeOf(
  { params }: JSONRPCRequest,
  { protocolVersion, clientInfo }: { protocolVersion: string; clientInfo: Implementation | undefined },
): RequestEnvelope {
  const meta: unknown = params?._meta;
  const envelope = { protocolVersion, clientCapabilities: {}, clientInfo };
  if (!isJsonObject(meta)) return envelope;
  const { progressToken: token } = meta;
  const progressToken = typeof token === 'string' || typeof token === 'number' ? token : undefined;
  return { ...envelope, progressToken, trace: readTraceContext(meta), meta: ownMeta(meta) };
}
