import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import type { McpResult } from '../protocol/messages.js';
import { Method } from '../protocol/method-names.js';
import { resolveToolCall, toolCallOf, type ToolCallTarget } from './tool-call.js';
import type { ToolCalls } from './tool-calls.js';

/** `tools/call` (MCP server/tools "Calling tools"): runs the tool within the request. */
export class CallToolMethod implements McpMethod {
  readonly name = Method.CallTool;
  readonly guards = 'handler';

  constructor(private readonly calls: ToolCalls) {}

  resolve(context: DispatchContext): ToolCallTarget {
    return resolveToolCall(context, this.calls.registry);
  }

  async handle(context: DispatchContext): Promise<McpResult> {
    const { invoker, wire } = this.calls;
    const target = toolCallOf(context)!;
    const outcome = await invoker.invoke(wire.invocation(context, target));
    return wire.reply(context, target, outcome);
  }
}
