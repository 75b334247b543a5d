import type { JsonObject, JsonValue } from './json.js';
import type { ContentBlock } from './official.js';

/** The id of a JSON-RPC request. Unique per sender and only while in flight, so never a key across clients. */
export type RequestId = string | number;

/** A JSON-RPC request whose shape was checked; its params are not yet. */
export interface RequestMessage {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject;
}

/** A JSON-RPC notification. It is never answered. */
export interface NotificationMessage {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: JsonObject;
}

/** The `error` member of a JSON-RPC error response. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

/** A JSON-RPC response. `id` is left out of an error whose request id could not be read. */
export type ResponseMessage =
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly result: McpResult }
  | { readonly jsonrpc: '2.0'; readonly id?: RequestId; readonly error: WireError };

/** An error response; without an id where that of the request could not be read. */
export function errorResponse(id: RequestId | undefined, error: WireError): ResponseMessage {
  return id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error };
}

/** Any result of the revision: an object that names its kind. */
export interface McpResult {
  readonly resultType: string;
  readonly [key: string]: unknown;
}

/** The outcome of a tool, as `tools/call` sends it (MCP server/tools "Tool result"). */
export interface CallToolResult extends McpResult {
  readonly resultType: 'complete';
  readonly content: ContentBlock[];
  readonly structuredContent?: unknown;
  /** The tool failed; the content says how, for the model to read. */
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

/** One question to the client, as it stands in `inputRequests` (MCP basic "Multi round-trip requests"). */
export interface InputRequest {
  readonly method: string;
  readonly params?: JsonObject;
}

/** Outstanding questions by key. */
export type InputRequests = Readonly<Record<string, InputRequest>>;
