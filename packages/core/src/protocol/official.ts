/**
 * The one door to the official MCP package. Nothing else in this package imports it, so that an upgrade is read in one place.
 * Only leaf pieces come through: types, constants, pure checks. Its servers and handlers are never on the request path.
 */
export {
  BAGGAGE_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
  isJsonContentType,
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
export type {
  CallToolResult as OfficialCallToolResult,
  ClientCapabilities,
  ContentBlock,
  ElicitRequestFormParams,
  Implementation,
  ServerCapabilities,
  Tool,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
