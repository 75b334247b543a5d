import { Inject, Injectable } from '@nestjs/common';
import type { ToolDefinition } from '../../discovery/handler-definition.js';
import type { McpError } from '../../errors/mcp.error.js';
import type { FailureLog } from '../../errors/mask-error.js';
import { McpToolError } from '../../errors/mcp-tool.error.js';
import type { InputRequests, CallToolResult } from '../../protocol/messages.js';
import { isThenable, whenReady, type MaybePromise } from '../../protocol/maybe-promise.js';
import { text } from '../../results/content-builders.js';
import { mapStructuredResult } from '../../results/map-structured-result.js';
import { mapToolResult, toolResult } from '../../results/map-tool-result.js';
import { httpErrorMessage, isHttpError } from '../failure/error-message.js';
import { HandlerFailure, InvalidArgumentsError } from '../failure/handler-failure.js';
import { HandlerInvoker } from './handler-invoker.js';
import type { Ended, HandlerAdmission, HandlerAdmissionState, HandlerInvocation, HandlerOutcome } from './invocation.js';

/** State that a tool call hands over when it becomes something that outlives its request. */
export type ToolAdmissionState = HandlerAdmissionState;

/** How a tool call becomes something that outlives its request. */
export type ToolAdmission = HandlerAdmission;

/** One execution of a tool, on whichever carrier. */
export interface ToolInvocation extends Omit<HandlerInvocation, 'handler'> {
  readonly tool: ToolDefinition;
}

/** How an execution of a tool ended, as its caller is to see it. */
export type ToolOutcome =
  /** The tool's result, `isError` ones included. */
  | ({ readonly kind: 'completed'; readonly result: CallToolResult } & Ended)
  | ({ readonly kind: 'inputRequired'; readonly requests: InputRequests } & Ended)
  /** A JSON-RPC error: a denial, an `McpError`, or a fault of the framework's own. */
  | { readonly kind: 'failed'; readonly error: McpError };

/** Runs a tool once, on or off any request. It never rejects: what its body makes of it is a result, `isError` or not. */
@Injectable()
export class ToolInvoker {
  constructor(
    @Inject(HandlerInvoker) private readonly handlers: HandlerInvoker,
    @Inject(HandlerFailure) private readonly failure: HandlerFailure,
  ) {}

  async invoke(invocation: ToolInvocation): Promise<ToolOutcome> {
    return this.run(invocation);
  }

  /** The same, at once where nothing waits. */
  run(invocation: ToolInvocation): MaybePromise<ToolOutcome> {
    const { tool } = invocation;
    // What was thrown, or the response of an HTTP error, may throw at every touch.
    const fault = (error: unknown): ToolOutcome => ({ kind: 'failed', error: this.failure.fault(error, tool.name) });
    return whenReady(this.handlers.invoke({ ...invocation, handler: tool }), (outcome) => {
      try {
        const ended = this.outcomeOf(outcome, tool);
        return isThenable(ended) ? ended.catch(fault) : ended;
      } catch (error) {
        return fault(error);
      }
    });
  }

  private outcomeOf(outcome: HandlerOutcome, tool: ToolDefinition): MaybePromise<ToolOutcome> {
    switch (outcome.kind) {
      case 'inputRequired':
      case 'failed':
        return outcome;
      case 'returned':
        return whenReady(this.result(outcome.value, tool), (result) => completed(result, outcome));
      case 'threw':
        return completed(this.errorResult(outcome.error, tool.name, outcome.log), outcome);
    }
  }

  private result(value: unknown, { name, outputSchema }: ToolDefinition): MaybePromise<CallToolResult> {
    const failure = (error: unknown): CallToolResult => this.errorResult(error, name, 'stack');
    try {
      const mapped = outputSchema ? mapStructuredResult(value, { name, outputSchema }) : mapToolResult(value, name);
      return isThenable(mapped) ? mapped.catch(failure) : mapped;
    } catch (error) {
      return failure(error);
    }
  }

  /** The `isError` result of a tool that failed (MCP server/tools "Error handling"). */
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
    const parts = {
      content: [text(message), ...content],
      ...(structuredContent === undefined ? {} : { structuredContent }),
      isError: true,
    };
    try {
      return mapToolResult(toolResult(parts), name);
    } catch (error) {
      return this.masked(error, name, log);
    }
  }

  private masked(error: unknown, name: string, log: FailureLog): CallToolResult {
    const { message, errorId } = this.failure.mask(error, name, log);
    return failed(`${message} (errorId ${errorId})`);
  }
}

function completed(result: CallToolResult, { ledger, principal }: Ended): ToolOutcome {
  return { kind: 'completed', result, ledger, principal };
}

function failed(message: string): CallToolResult {
  return toolResult({ content: [text(message)], isError: true });
}
