/**
 * The door to the official server, which answers the revisions before 2026-07-28 and nothing else: its classifier says which messages
 * those are, its `Server` speaks their handshake, its stateless leg is their HTTP. `protocol/official.ts` is the door to its leaf pieces.
 */
export {
  ProtocolError,
  SUPPORTED_PROTOCOL_VERSIONS as OLDER_PROTOCOL_VERSIONS,
  Server,
  classifyInboundRequest,
  isInitializeRequest,
  legacyStatelessFallback,
} from '@modelcontextprotocol/server';
export type {
  InboundLegacyRoute,
  JSONRPCMessage,
  JSONRPCRequest,
  LegacyHttpHandler,
  ServerContext,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';
