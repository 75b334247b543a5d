import type { DispatchContext } from '../../dispatch/dispatch-context.js';
import type { ToolDefinition } from '../../discovery/handler-definition.js';
import type { ToolRegistry } from '../../discovery/registries.js';
import type { FailureLog } from '../../errors/mask-error.js';
import { McpToolError } from '../../errors/mcp-tool.error.js';
import { invalidParams } from '../../errors/mcp.error.js';
import { httpErrorMessage, isHttpError } from '../../handlers/failure/error-message.js';
import { InvalidArgumentsError, type HandlerFailure, type HandlerThrew } from '../../handlers/failure/handler-failure.js';
import type { CallTarget } from '../../handlers/run/invocation.js';
import type { Enter, Found, KindRules } from '../../handlers/run/kind-rules.js';
import type { HandlerVisibility } from '../../handlers/visibility/handler-visibility.js';
import { isJsonObject, type JsonObject } from '../../protocol/json.js';
import { isThenable, type MaybePromise } from '../../protocol/maybe-promise.js';
import type { CallToolResult } from '../../protocol/messages.js';
import { text } from '../../results/content-builders.js';
import { mapStructuredResult, mapToolResult, toolResult } from '../../results/map-tool-result.js';

/** The subject of a `tools/call`. */
export interface ToolCallTarget extends CallTarget<ToolDefinition> {
  readonly kind: 'tool';
}

/** The tool call that a request is, or undefined when it is something else; for dispatch interceptors. */
export function toolCallOf({ target }: DispatchContext): ToolCallTarget | undefined {
  return target?.kind === 'tool' ? (target as ToolCallTarget) : undefined;
}

/** A tool: whatever goes wrong in it is a result with `isError`, for the model to read (MCP server/tools "Error handling"). */
export class ToolRules implements KindRules<ToolCallTarget> {
  constructor(
    private readonly tools: ToolRegistry,
    private readonly visibility: HandlerVisibility,
    private readonly failure: HandlerFailure,
  ) {}

  read({ params }: { readonly params: JsonObject }, enter: Enter, found: Found): MaybePromise<ToolCallTarget> {
    const { name } = params;
    if (typeof name !== 'string') throw invalidParams('params.name must be the name of a tool');
    const targetOf = (tool: ToolDefinition | undefined): ToolCallTarget => {
      if (!tool) throw invalidParams(`Unknown tool: ${name.slice(0, 128)}`);
      found(tool);
      const args = params.arguments === undefined ? {} : params.arguments;
      if (!isJsonObject(args)) throw invalidParams('params.arguments must be an object');
      return { kind: 'tool', name: tool.name, handler: tool, arguments: args };
    };
    const tool = this.visibility.find(this.tools.byKey.get(name), enter);
    return isThenable(tool) ? tool.then(targetOf) : targetOf(tool);
  }

  toResult(value: unknown, { handler: { name, outputSchema } }: ToolCallTarget): MaybePromise<CallToolResult> {
    try {
      if (!outputSchema) return mapToolResult(value, name);
      const mapped = mapStructuredResult(value, { name, outputSchema });
      return isThenable(mapped) ? mapped.catch((error: unknown) => this.errorResult(error, name, 'stack')) : mapped;
    } catch (error) {
      return this.errorResult(error, name, 'stack');
    }
  }

  toFailure({ error, log }: HandlerThrew, { handler }: ToolCallTarget): CallToolResult {
    return this.errorResult(error, handler.name, log);
  }

  private errorResult(error: unknown, name: string, log: FailureLog): CallToolResult {
    if (error instanceof McpToolError) {
      this.failure.logCause(error, name);
      return this.toolErrorResult(error, name, log);
    }
    if (error instanceof InvalidArgumentsError) return failed(`Invalid arguments for ${name}:\n${error.message}`);
    if (isHttpError(error)) return failed(httpErrorMessage(error));
    return this.masked(error, name, log);
  }

  private toolErrorResult({ message, content = [], structuredContent }: McpToolError, name: string, log: FailureLog): CallToolResult {
    try {
      return mapToolResult(toolResult({ content: [text(message), ...content], structuredContent, isError: true }), name);
    } catch (error) {
      return this.masked(error, name, log);
    }
  }

  private masked(error: unknown, name: string, log: FailureLog): CallToolResult {
    const { message, errorId } = this.failure.mask(error, name, log);
    return failed(`${message} (errorId ${errorId})`);
  }
}

function failed(message: string): CallToolResult {
  return toolResult({ content: [text(message)], isError: true });
}
