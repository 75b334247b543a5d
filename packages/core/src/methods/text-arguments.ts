import { invalidParams } from '../errors/mcp.error.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';

/** The arguments of a prompt, or those of a completion's context: texts by name (MCP server/prompts "Getting a prompt"). @throws McpError -32602 */
export function readTextArguments(value: unknown, where: string): JsonObject {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw invalidParams(`${where} must be an object of strings`);
  const odd = Object.entries(value).find(([, text]) => typeof text !== 'string');
  if (odd) throw invalidParams(`${where}.${odd[0].slice(0, 64)} must be a string`);
  return value;
}
