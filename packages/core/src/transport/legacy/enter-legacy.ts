import type { HeaderSink } from '../../dispatch/exchange.js';
import type { DispatchReply } from '../../dispatch/message-dispatcher.js';
import type { RequestMessage, RequestId } from '../../protocol/messages.js';
import { isJsonObject, type JsonObject } from '../../protocol/json.js';
import type { LegacyParts } from './legacy-parts.js';
import { invalidParams, McpError } from '../../errors/mcp.error.js';
import { isInitializeRequest } from './official-legacy.js';
import { ErrorCode } from '../../protocol/vocabulary.js';

/**
 * Lets a caller in for what no method of dispatch answers, such as the handshake: it is guarded like everything else, and then read.
 *
 * @returns the refusal, or undefined when the caller may go on
 */
export async function enterLegacy(
  { gate, dispatcher }: LegacyParts,
  message: RequestMessage,
  { request, responseHeaders }: { readonly request: object; readonly protocolVersion: string; readonly responseHeaders?: HeaderSink },
): Promise<DispatchReply | undefined> {
  const { signal } = new AbortController();
  try {
    await gate.enter({ exchange: { request, signal, responseHeaders } });
    if (isJsonObject(message)) checkHandshake(message);
    return undefined;
  } catch (thrown) {
    return dispatcher.fault(isJsonObject(message) ? message : undefined, thrown);
  }
}

/**
 * Checks the params of an `initialize` (MCP 2025-11-25 basic "Lifecycle"), so that the official server, whose messages
 * are written for its own developers, never gets invalid ones. Other methods pass.
 * @throws McpError -32602 saying what the handshake needs
 */
function checkHandshake(message: RequestMessage): void {
  if (message.method !== 'initialize' || isInitializeRequest(message)) return;
  throw invalidParams(`Invalid params of initialize: ${problemOf(message.params ?? {})}`);
}

function problemOf({ protocolVersion, capabilities, clientInfo }: JsonObject): string {
  if (typeof protocolVersion !== 'string') return 'params.protocolVersion must be a string';
  if (!isJsonObject(capabilities)) return 'params.capabilities must be an object';
  if (!isJsonObject(clientInfo)) return 'params.clientInfo must be an object';
  for (const key of ['name', 'version']) {
    if (typeof clientInfo[key] !== 'string') return `params.clientInfo.${key} must be a string`;
  }
  return 'a member of params.capabilities or params.clientInfo has a type that the schema of 2025-11-25 does not allow';
}

/** The only revision that has batches; 2025-06-18 took them out again (its changelog, "Major changes" 1). */
const REVISION_OF_BATCHES = '2025-03-26';

/**
 * Checks the requests of one batch: its revision has batches, each request has its own id, which identifies its
 * answer, and none is the handshake (MCP 2025-03-26 basic "Lifecycle").
 * @throws McpError -32600 saying how to send them instead
 */
export function checkBatch(requests: readonly RequestMessage[], protocolVersion: string): void {
  if (protocolVersion !== REVISION_OF_BATCHES) {
    throw refusal(`only revision ${REVISION_OF_BATCHES} has batches; send the messages one by one`);
  }
  if (requests.some(({ method }) => method === 'initialize')) throw refusal('initialize must be sent alone, not in a batch');
  const ids = new Set<RequestId>(requests.map(({ id }) => id));
  if (ids.size < requests.length) throw refusal('two requests of a batch have the same id; give each an id of its own');
}

function refusal(problem: string): McpError {
  return new McpError(ErrorCode.InvalidRequest, `Invalid request: ${problem}`);
}
