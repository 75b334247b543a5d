/**
 * The JSON-RPC error codes a 2026-07-28 server may send (JSON-RPC 2.0 §5.1; MCP basic "Error codes").
 * Codes in -32000..-32019 are never used; application codes lie outside -32768..-32000.
 */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /** A routing header is missing, malformed, or does not agree with the body. */
  HeaderMismatch: -32020,
  /** The request needs a client capability that it did not declare. */
  MissingRequiredClientCapability: -32021,
  /** The protocol revision is unknown or not served. */
  UnsupportedProtocolVersion: -32022,
  /** A guard refused the call. Outside JSON-RPC's reserved range; `McpModuleOptions.forbiddenCode` changes it. */
  Forbidden: 403,
} as const;
