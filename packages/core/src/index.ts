// For people who write servers.
export { McpModule, type McpModuleAsyncOptions, type McpModuleOptionsFactory } from './mcp.module.js';
export type {
  McpCacheOptions,
  McpFeatureOptions,
  McpLimits,
  McpModuleComposition,
  McpModuleOptions,
  McpRate,
  McpRateLimitOptions,
  McpShutdownOptions,
  RequestStateOptions,
} from './mcp-module-options.js';
export { McpStdio, type McpStdioLimits, type McpStdioOptions } from './mcp-stdio.js';
export { stdioLogger } from './transport/stdio/stdio-logger.js';
export { McpEndpoint, ROOT_ENDPOINT } from './seams/mcp-endpoint.decorator.js';
export { bindToMcpEndpoint, mcpEndpointToken } from './mcp-endpoint-parts.js';
export { McpEndpointBinding } from './seams/endpoint-binding.js';
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
export { McpPrompt } from './decorators/mcp-prompt.decorator.js';
export { McpComplete } from './decorators/mcp-complete.decorator.js';
export { McpResource } from './decorators/mcp-resource.decorator.js';
export { McpResourceTemplate } from './decorators/mcp-resource-template.decorator.js';
export type {
  McpCompleteOptions,
  McpHandlerOptions,
  McpPromptOptions,
  McpResourceBaseOptions,
  McpResourceOptions,
  McpResourceTemplateOptions,
  McpToolOptions,
  ResourceCacheOptions,
} from './decorators/handler-metadata.js';
export type { McpCompletionContext } from './handlers/completers.js';
export type { McpVisibility, McpVisibilityContext } from './handlers/mcp-visibility.js';
export type { McpCompletion } from './results/map-completion.js';
export type { McpHandlerContext } from './handlers/context/handler-context.js';
export type { McpToolContext } from './handlers/context/tool-context.js';
export type { ClientFeature } from './handlers/context/client-features.js';
export type { ElicitAnswer, ElicitOptions, SchemaOutput } from './handlers/context/elicit-form.js';
export type { ElicitUrlAnswer, ElicitUrlOptions } from './handlers/context/elicit-url.js';
export type { SampleAnswer } from './handlers/context/sample.js';
export type { SampleParams } from './handlers/context/sample-params.js';
export type { LogLevel } from './protocol/log-levels.js';
export { McpExecution, type ExecutionTrigger } from './handlers/mcp-execution.js';
export { loggable } from './protocol/loggable.js';
export { isInputRequired } from './replay/input-required.signal.js';
export { ExecutionOverError } from './replay/execution-over.error.js';
export {
  audio,
  embeddedResource,
  image,
  resourceLink,
  text,
  type ContentExtras,
  type EmbeddedExtras,
  type ResourceLinkParts,
} from './results/content-builders.js';
export { toolResult } from './results/map-tool-result.js';
export { McpError, invalidParams, missingCapability, type McpErrorOptions } from './errors/mcp.error.js';
export { McpLimitError } from './errors/limit-refusal.js';
export { resultMisfit } from './protocol/shapes/result-misfit.js';
export { wireErrorOf } from './errors/normal-error.js';
export type { McpErrorTranslator } from './errors/error-translation.js';
export { McpToolError, type McpToolErrorOptions } from './errors/mcp-tool.error.js';
export { McpNotifier, type ServerChange } from './subscriptions/mcp-notifier.js';
export { McpRegistrar } from './registration/mcp-registrar.js';
export type {
  AddedHandler,
  PromptRegistration,
  ResourceRegistration,
  ResourceTemplateRegistration,
  ToolRegistration,
} from './registration/registrations.js';
export { DefinitionError, McpDefinitionsError, type DefinitionFault } from './errors/definition-fault.js';
export { ErrorCode } from './protocol/error-codes.js';
export { AnonymousPrincipalSource, McpPrincipalSource } from './envelope/principal-source.js';
export type { McpPrincipal } from './envelope/principal.js';
export { deriveKeys, type DerivedKeys, type KeyPurpose, type KeyRing } from './replay/key-ring.js';
export { seal, unseal, type SealingContext } from './replay/sealing.js';

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
export type {
  HonouredTopic,
  SubscriptionContributor,
  SubscriptionSink,
  TopicNotification,
} from './subscriptions/subscription-contributor.js';
export type { RoutedParam, RoutedParamContributor } from './dispatch/routed-param-contributor.js';
export type { DispatchContext, DispatchTarget } from './dispatch/dispatch-context.js';
export type { Delivery, Exchange, RoutingHeaders } from './dispatch/exchange.js';
export { standInRequest } from './dispatch/stand-in-request.js';
export type { DispatchReply, MessageDispatcher } from './dispatch/message-dispatcher.js';
export type { ServerCapabilitiesCustomizer } from './methods/capabilities-customizer.js';
export { ToolCalls } from './methods/tool-calls.js';
export { toolCallOf, type ToolCallTarget } from './methods/tool-call.js';
export { CallWire, type CallSubject, type OpenQuestions } from './methods/call-wire.js';
export type { HandlerCallTarget } from './methods/handler-calls.js';
export type { PromptTarget } from './methods/get-prompt.method.js';
export type { ResourceTarget } from './methods/read-resource.method.js';
export { ToolCallWire } from './methods/tool-call-wire.js';
export {
  ToolInvoker,
  type ToolAdmission,
  type ToolAdmissionState,
  type ToolInvocation,
  type ToolOutcome,
} from './handlers/tool-invoker.js';
export type { ParamHeader } from './discovery/param-headers.js';
export type { HandlerRegistry } from './discovery/handler-registry.js';
export { PromptRegistry } from './discovery/prompt-registry.js';
export { ResourceRegistry } from './discovery/resource-registry.js';
export { ResourceTemplateRegistry, type TemplateMatch } from './discovery/resource-template-registry.js';
export { ToolRegistry } from './discovery/tool-registry.js';
export type {
  HandlerDefinition,
  HandlerKind,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from './discovery/handler-definition.js';
export { REQUIRED_EXTENSION } from './discovery/required-extension.js';
export { HandlerInvoker, type HandlerInvocation, type HandlerOutcome } from './handlers/handler-invoker.js';
export type { Admission, AdmissionState, Admitted, ExecutionCarrier, StepRecorder } from './replay/execution-carrier.js';
export { answerLedger, conformingAnswers } from './replay/apply-answers.js';
export type { LedgerDrift } from './replay/ledger-drift.js';
export type { LedgerEntry, LedgerEntryKind, LedgerSnapshot } from './replay/ledger-entry.js';
export type { LogMessage, LogSink } from './notifications/log-sink.js';
export type { NotificationSink } from './notifications/notification-sink.js';
export type { ProgressSink, ProgressUpdate } from './notifications/progress-sink.js';
export { declaresExtension } from './envelope/client-capabilities.js';
export type { RequestEnvelope, TraceContext } from './envelope/request-envelope.js';
export { parseDuration, type DurationOption } from './options/duration.js';
export { InjectRequired, requireProvided } from './seams/require-provided.js';
export { asyncOptionsProviders, type AsyncOptionsSource, type AsyncOptionsTarget } from './options/async-options.js';
export { ResolvedMcpOptions } from './options/resolve-mcp-options.js';
export { McpBootstrap } from './mcp-bootstrap.js';
export { PROTOCOL_VERSION } from './protocol/protocol-version.js';
export { assertJson, type OwnJsonForm } from './protocol/assert-json.js';
export { NotJsonError } from './protocol/not-json.error.js';
export { isJsonObject, type JsonObject, type JsonValue } from './protocol/json.js';
export type { McpResult, NotificationMessage, RequestId, RequestMessage, ResponseMessage, WireError } from './protocol/messages.js';
export type { InputRequest, InputRequests } from './protocol/input-requests.js';
export type { CallToolResult } from './protocol/tool-result.js';
export type {
  Annotations,
  AudioContent,
  ClientCapabilities,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  Implementation,
  Prompt,
  PromptMessage,
  Resource,
  ResourceLink,
  ResourceTemplate,
  Role,
  Root,
  SamplingMessageContentBlock,
  ServerCapabilities,
  TextContent,
  Tool,
  ToolAnnotations,
} from './protocol/official.js';
export type { CompiledSchema, PendingDto, SchemaIssue, SchemaResult } from './schema/compiled-schema.js';
export type { SchemaSource } from './schema/schema-source.js';
