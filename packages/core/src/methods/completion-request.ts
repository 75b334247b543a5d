import { invalidParams } from '../errors/mcp.error.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';
import { readTextArguments } from './kinds/prompt-rules.js';

/** Params of a `completion/complete`. */
export interface CompletionRequest {
  readonly ref: { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** The arguments that are settled already. */
  readonly known: JsonObject;
}

/** Reads the params of `completion/complete` (MCP server/utilities/completion). @throws McpError -32602 */
export function readCompletionRequest({ ref, argument, context }: JsonObject): CompletionRequest {
  if (!isJsonObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
    throw invalidParams('params.argument must be an object with the strings name and value');
  }
  if (context !== undefined && !isJsonObject(context)) throw invalidParams('params.context must be an object');
  const known = readTextArguments(context?.arguments, 'params.context.arguments');
  return { ref: readRef(ref), argument: { name: argument.name, value: argument.value }, known };
}

function readRef(ref: unknown): CompletionRequest['ref'] {
  if (isJsonObject(ref)) {
    if (ref.type === 'ref/prompt' && typeof ref.name === 'string') return { type: ref.type, name: ref.name };
    if (ref.type === 'ref/resource' && typeof ref.uri === 'string') return { type: ref.type, uri: ref.uri };
  }
  throw invalidParams('params.ref must be { type: "ref/prompt", name } or { type: "ref/resource", uri }');
}
