// What people who write extensions import: seams, contributors, outcomes, registries.
export { missingCapability } from './errors/mcp.error.js';
export { McpLimitError } from './errors/refusals.js';
export { McpSeam, type SeamKind, type SeamOptions } from './seams/mcp-seam.decorator.js';
export { McpHandlerExtension } from './decorators/mcp-methods.decorators.js';
export type { HandlerExtensionMark } from './decorators/handler-metadata.js';
export type { HandlerCustomizer, HandlerUnderConstruction } from './handlers/boot/constructed-handler.js';
export type { HandlerInterceptor, HandlerStratum } from './handlers/run/strata.js';
export type { McpMethod } from './dispatch/mcp-method.js';
export type { McpMethodContributor } from './dispatch/method-table.js';
export type { McpDispatchInterceptor } from './dispatch/dispatch-interceptor.js';
export type {
  HonouredTopic,
  SubscriptionContributor,
  SubscriptionSink,
  TopicNotification,
} from './subscriptions/subscription-contributor.js';
export type { RoutedParam, RoutedParamContributor } from './dispatch/routed-param-table.js';
export type { DispatchContext, DispatchTarget } from './dispatch/dispatch-context.js';
export type { MaybePromise } from './protocol/maybe-promise.js';
export type { AbortSource } from './protocol/abort-source.js';
export type { Delivery, Exchange, RoutingHeaders } from './dispatch/exchange.js';
export type { DispatchReply, MessageDispatcher } from './dispatch/message-dispatcher.js';
export type { ServerCapabilitiesCustomizer } from './boot/capabilities.js';
export { CallRunner } from './methods/call-runner.js';
export { toolCallOf, type ToolCallTarget } from './methods/kinds/tool-rules.js';
export type { PromptTarget } from './methods/kinds/prompt-rules.js';
export type { ResourceTarget } from './methods/kinds/resource-rules.js';
export type { CallTarget, HandlerInvocation } from './handlers/run/invocation.js';
export type { CallOutcome, Completed, Failed, InputRequired } from './handlers/run/call-outcome.js';
export type { ParamHeader } from './discovery/param-headers.js';
export {
  type HandlerRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  type TemplateMatch,
  ToolRegistry,
} from './discovery/registries.js';
export type {
  HandlerDefinition,
  HandlerKind,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from './discovery/handler-definition.js';
export type { Admission, AdmissionState, Admitted, ExecutionCarrier, StepRecorder } from './replay/execution-carrier.js';
export type { LedgerDrift } from './replay/ledger-drift.js';
export type { LedgerEntry, LedgerEntryKind, LedgerSnapshot } from './replay/ledger.js';
export type { LogMessage, LogSink, NotificationSink, ProgressSink, ProgressUpdate } from './notifications/sinks.js';
export { declaresExtension } from './envelope/client-capabilities.js';
export type { RequestEnvelope } from './envelope/request-envelope.js';
export type { TraceContext } from './envelope/trace-context.js';
export type { NotificationMessage, RequestMessage, ResponseMessage, WireError, InputRequest, InputRequests } from './protocol/messages.js';
export type { CompiledSchema, SchemaIssue, SchemaResult } from './schema/compiled-schema.js';
