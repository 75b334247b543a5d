// For people who write servers.
export { McpModule, type McpModuleAsyncOptions, type McpModuleOptionsFactory } from './mcp.module.js';
export type { McpLimits, McpModuleComposition, McpModuleOptions, RequestStateOptions } from './mcp-module-options.js';
export { McpTool } from './decorators/mcp-tool.decorator.js';
export {
  McpArg,
  McpArgs,
  McpContext,
  type McpArgOptions,
  type McpArgsOptions,
  type ParamPipe,
} from './decorators/mcp-params.decorators.js';
export { McpField, type McpFieldOptions } from './decorators/mcp-field.decorator.js';
export type { McpToolOptions } from './decorators/handler-metadata.js';
export type { ClientFeature, ElicitAnswer, ElicitOptions, McpToolContext, SchemaOutput } from './handlers/tool-context.js';
export { McpExecution, type ExecutionTrigger } from './handlers/mcp-execution.js';
export { isInputRequired } from './replay/input-required.signal.js';
export { ExecutionOverError } from './replay/execution-over.error.js';
export { toolResult } from './results/map-tool-result.js';
export { McpError, invalidParams, missingCapability, type McpErrorOptions } from './errors/mcp.error.js';
export type { McpErrorTranslator } from './errors/error-translation.js';
export { McpToolError, type McpToolErrorOptions } from './errors/mcp-tool.error.js';
export { DefinitionError, McpDefinitionsError, type DefinitionFault } from './errors/definition-fault.js';
export { ErrorCode } from './protocol/error-codes.js';
export { AnonymousPrincipalSource, McpPrincipalSource } from './envelope/principal-source.js';
export type { McpPrincipal } from './envelope/principal.js';
export type { KeyRing } from './replay/key-ring.js';

// For extensions.
export { McpSeam, type SeamKind, type SeamOptions } from './seams/mcp-seam.decorator.js';
export { EnvironmentValueResolver, McpValueResolver } from './seams/value-resolver.js';
export { McpHandlerExtension } from './decorators/handler-extension.decorator.js';
export type { HandlerExtensionMark } from './decorators/handler-metadata.js';
export type { HandlerCustomizer, HandlerUnderConstruction } from './handlers/handler-customizer.js';
export type { HandlerInterceptor, HandlerStratum } from './handlers/strata.js';
export type { McpMethod } from './dispatch/mcp-method.js';
export type { McpMethodContributor } from './dispatch/method-contributor.js';
export type { McpDispatchInterceptor } from './dispatch/dispatch-interceptor.js';
export type { RoutedParam, RoutedParamContributor } from './dispatch/routed-param-contributor.js';
export type { DispatchContext, DispatchTarget } from './dispatch/dispatch-context.js';
export type { Delivery, Exchange, RoutingHeaders } from './dispatch/exchange.js';
export type { DispatchReply, MessageDispatcher } from './dispatch/message-dispatcher.js';
export type { ServerCapabilitiesCustomizer } from './methods/capabilities-customizer.js';
export { ToolCalls } from './methods/tool-calls.js';
export { toolCallOf, type ToolCallTarget } from './methods/tool-call.js';
export { ToolCallWire } from './methods/tool-call-wire.js';
export {
  ToolInvoker,
  type ToolAdmission,
  type ToolAdmissionState,
  type ToolInvocation,
  type ToolOutcome,
} from './handlers/tool-invoker.js';
export { ToolRegistry } from './discovery/tool-registry.js';
export type { ToolDefinition } from './discovery/tool-definition.js';
export type { Admission, AdmissionState, Admitted, ExecutionCarrier, StepRecorder } from './replay/execution-carrier.js';
export { answerLedger, conformingAnswers } from './replay/apply-answers.js';
export type { LedgerEntry, LedgerEntryKind, LedgerSnapshot } from './replay/ledger-entry.js';
export type { NotificationSink } from './notifications/notification-sink.js';
export type { ProgressSink, ProgressUpdate } from './notifications/progress-sink.js';
export { declaresExtension } from './envelope/client-capabilities.js';
export type { RequestEnvelope, TraceContext } from './envelope/request-envelope.js';
export { parseDuration, type DurationOption } from './options/duration.js';
export { ResolvedMcpOptions } from './options/resolve-mcp-options.js';
export { McpBootstrap } from './mcp-bootstrap.js';
export { PROTOCOL_VERSION } from './protocol/protocol-version.js';
export { assertJson, type OwnJsonForm } from './protocol/assert-json.js';
export { NotJsonError } from './protocol/not-json.error.js';
export { isJsonObject, type JsonObject, type JsonValue } from './protocol/json.js';
export type { McpResult, NotificationMessage, RequestId, RequestMessage, ResponseMessage, WireError } from './protocol/messages.js';
export type { InputRequest, InputRequests } from './protocol/input-requests.js';
export type { CallToolResult } from './protocol/tool-result.js';
export type { ClientCapabilities, ContentBlock, Implementation, ServerCapabilities, Tool, ToolAnnotations } from './protocol/official.js';
export type { CompiledSchema, SchemaIssue, SchemaResult } from './schema/compiled-schema.js';
export type { SchemaSource } from './schema/schema-source.js';
