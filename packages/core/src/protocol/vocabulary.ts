import type { LoggingLevel } from './official.js';

/** The revision this server speaks: MCP 2026-07-28. */
export const PROTOCOL_VERSION = '2026-07-28';

/** Every revision served, newest first; what `server/discover` and `-32022` report. */
export const SUPPORTED_PROTOCOL_VERSIONS: readonly string[] = [PROTOCOL_VERSION];

/** The JSON-RPC methods the core answers. Extensions add theirs through `McpMethodContributor`. */
export const Method = {
  Discover: 'server/discover',
  ListTools: 'tools/list',
  CallTool: 'tools/call',
  ListPrompts: 'prompts/list',
  GetPrompt: 'prompts/get',
  ListResources: 'resources/list',
  ListResourceTemplates: 'resources/templates/list',
  ReadResource: 'resources/read',
  Complete: 'completion/complete',
  Listen: 'subscriptions/listen',
  SubscriptionAcknowledged: 'notifications/subscriptions/acknowledged',
  ToolsListChanged: 'notifications/tools/list_changed',
  PromptsListChanged: 'notifications/prompts/list_changed',
  ResourcesListChanged: 'notifications/resources/list_changed',
  ResourceUpdated: 'notifications/resources/updated',
  Progress: 'notifications/progress',
  Cancelled: 'notifications/cancelled',
  LogMessage: 'notifications/message',
  Elicit: 'elicitation/create',
  CreateMessage: 'sampling/createMessage',
  ListRoots: 'roots/list',
} as const;

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

/** The HTTP headers of the Streamable HTTP transport, lower case as Node reports them. */
export const Header = {
  ProtocolVersion: 'mcp-protocol-version',
  Method: 'mcp-method',
  Name: 'mcp-name',
  /** Prefix of the headers that mirror tool arguments (`x-mcp-header`). */
  ParamPrefix: 'mcp-param-',
} as const;

/** The headers that frame the answer or belong to the protocol: no enhancer sets them, whatever the options say. */
const RESERVED_HEADERS =
  /^(mcp-.*|content-(type|length|encoding|range)|transfer-encoding|connection|keep-alive|proxy-connection|upgrade|te|trailer|expect|date)$/;

/** Whether a header is one of these, in any case of its letters. */
export function isReservedHeader(name: string): boolean {
  return RESERVED_HEADERS.test(name.toLowerCase());
}

/** The severity of a log message (MCP server/utilities/logging "Log levels"; RFC 5424). */
export type LogLevel = LoggingLevel;

/** The levels, the least severe first. */
export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Whether `value` is one of the levels. */
export function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value);
}

/** Whether a message of `level` is at least as severe as `threshold`, the level that a client asked for. */
export function reachesLevel(level: LogLevel, threshold: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold);
}
