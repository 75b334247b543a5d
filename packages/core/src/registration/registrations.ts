import type { CanActivate, Type } from '@nestjs/common';
import type { McpPromptOptions, McpResourceOptions, McpResourceTemplateOptions, McpToolOptions } from '../decorators/handler-metadata.js';
import type { SchemaOutput } from '../handlers/context/elicit-form.js';
import type { McpHandlerContext, McpToolContext } from '../handlers/context/handler-context.js';
import type { JsonObject } from '../protocol/json.js';
import type { SchemaSource } from '../schema/schema-source.js';

/** Members that every handler added at run time may have besides its function. */
export interface AddedHandler {
  /** Guards of this handler, after the global ones and the endpoint's. A class is taken from the container, or made. */
  readonly guards?: readonly (CanActivate | Type<CanActivate>)[];
  /** Any other method decorators: `[McpTask({ ttl: 'PT2H' }), UseInterceptors(new Audit())]`. Classes in them must be such as `McpModule` can make. */
  readonly decorators?: readonly MethodDecorator[];
}

/** A tool that is added at run time (MCP server/tools). Without an `inputSchema` it takes no arguments. */
export interface ToolRegistration<S extends SchemaSource = JsonObject> extends McpToolOptions, AddedHandler {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: S;
  /** The tool's body, as the method of `@McpTool` is; its arguments are checked. */
  readonly handler: (args: SchemaOutput<S>, ctx: McpToolContext) => unknown;
}

/** A prompt that is added at run time (MCP server/prompts). Without an `inputSchema` it takes no arguments. */
export interface PromptRegistration<S extends SchemaSource = JsonObject> extends McpPromptOptions, AddedHandler {
  readonly name: string;
  readonly inputSchema?: S;
  /** The prompt's body, as the method of `@McpPrompt` is; its arguments are checked. */
  readonly handler: (args: SchemaOutput<S>, ctx: McpHandlerContext) => unknown;
}

/** A resource that is added at run time (MCP server/resources). */
export interface ResourceRegistration extends McpResourceOptions, AddedHandler {
  readonly name: string;
  /** Reads it, as the method of `@McpResource` does. */
  readonly handler: (ctx: McpHandlerContext) => unknown;
}

/** A resource template that is added at run time (MCP server/resources "Resource templates"). Without an `inputSchema` its variables are texts. */
export interface ResourceTemplateRegistration<S extends SchemaSource = JsonObject> extends McpResourceTemplateOptions, AddedHandler {
  readonly name: string;
  readonly inputSchema?: S;
  /** Reads what a URI of the template names, as the method of `@McpResourceTemplate` does; `args` are the variables. */
  readonly handler: (args: SchemaOutput<S>, ctx: McpHandlerContext) => unknown;
}
