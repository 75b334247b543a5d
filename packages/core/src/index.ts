// What people who write servers import.
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
export { stdioLogger } from './transport/stdio/stdout.js';
export { McpEndpoint } from './seams/endpoint.js';
export { mcpEndpointToken } from './boot/endpoint-parts.js';
export { McpTool, McpPrompt, McpComplete, McpResource, McpResourceTemplate } from './decorators/mcp-methods.decorators.js';
export {
  McpArg,
  McpArgs,
  McpContext,
  type McpArgOptions,
  type McpArgsOptions,
  type ParamPipe,
} from './decorators/mcp-params.decorators.js';
export { McpField, type McpFieldOptions } from './schema/dto/field-options.js';
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
export type { McpCompletionContext } from './handlers/completion/completers.js';
export type { McpVisibility, McpVisibilityContext } from './handlers/run/mcp-visibility.js';
export type { McpCompletion } from './results/map-completion.js';
export type { McpHandlerContext } from './handlers/context/handler-context.js';
export type { McpToolContext } from './handlers/context/handler-context.js';
export type { ClientFeature } from './handlers/context/ask-client.js';
export type { ElicitAnswer, ElicitOptions, SchemaOutput } from './handlers/context/elicit-form.js';
export type { ElicitUrlAnswer, ElicitUrlOptions } from './handlers/context/elicit-url.js';
export type { SampleAnswer } from './handlers/context/sample.js';
export type { SampleParams } from './handlers/context/sample-params.js';
export { type LogLevel, ErrorCode, PROTOCOL_VERSION } from './protocol/vocabulary.js';
export { McpExecution, type ExecutionTrigger } from './handlers/run/mcp-execution.js';
export { isInputRequired } from './replay/unwinding.js';
export { ExecutionOverError } from './replay/unwinding.js';
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
export { McpError, invalidParams, type McpErrorOptions } from './errors/mcp.error.js';
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
export { McpPrincipalSource, type McpPrincipal } from './envelope/principal.js';
export { EnvironmentValueResolver, McpValueResolver } from './seams/value-resolver.js';
export type { DurationOption } from './options/duration.js';
export type { JsonObject, JsonValue } from './protocol/json.js';
export type { McpResult, RequestId, CallToolResult } from './protocol/messages.js';
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
export type { SchemaSource } from './schema/schema-source.js';
