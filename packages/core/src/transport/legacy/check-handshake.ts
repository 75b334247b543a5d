import { invalidParams } from '../../errors/mcp.error.js';
import { isJsonObject, type JsonObject } from '../../protocol/json.js';
import type { RequestMessage } from '../../protocol/messages.js';
import { isInitializeRequest } from './official-legacy.js';

/**
 * Checks the params of an `initialize` (MCP 2025-11-25 basic "Lifecycle"), so that the official server, whose messages
 * are written for its own developers, never gets invalid ones. Other methods pass.
 * @throws McpError -32602 saying what the handshake needs
 */
export function checkHandshake(message: RequestMessage): void {
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
