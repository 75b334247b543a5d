import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import { invalidParams } from '../errors/mcp.error.js';
import type { HandlerVisibility } from '../handlers/visibility/handler-visibility.js';
import { whenReady, type MaybePromise } from '../protocol/maybe-promise.js';
import type { McpResult } from '../protocol/messages.js';
import { Method } from '../protocol/vocabulary.js';
import { findVisible, type Enter, type Found } from './find-visible.js';
import { readToolCall, toolCallOf, type ToolCallTarget } from './tool-call.js';
import type { ToolCalls } from './tool-calls.js';

/** `tools/call` (MCP server/tools "Calling tools"): runs the tool within the request. */
export class CallToolMethod implements McpMethod {
  readonly name = Method.CallTool;
  readonly guards = 'handler';

  constructor(
    private readonly calls: ToolCalls,
    private readonly visibility: HandlerVisibility,
  ) {}

  resolve({ params }: DispatchContext, enter: Enter, found: Found): MaybePromise<ToolCallTarget> {
    const { name } = params;
    if (typeof name !== 'string') throw invalidParams('params.name must be the name of a tool');
    return whenReady(findVisible(this.calls.registry.get(name), this.visibility, enter), (tool) => {
      if (!tool) throw invalidParams(`Unknown tool: ${name.slice(0, 128)}`);
      found(tool);
      return readToolCall(params, tool);
    });
  }

  handle(context: DispatchContext): MaybePromise<McpResult> {
    const { invoker, wire } = this.calls;
    const target = toolCallOf(context)!;
    return whenReady(invoker.run(wire.invocation(context, target)), (outcome) => wire.reply(context, target, outcome));
  }
}
