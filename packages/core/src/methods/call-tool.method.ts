import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import { invalidParams } from '../errors/mcp.error.js';
import type { HandlerVisibility } from '../handlers/handler-visibility.js';
import type { McpResult } from '../protocol/messages.js';
import { Method } from '../protocol/method-names.js';
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

  async resolve({ params }: DispatchContext, enter: Enter, found: Found): Promise<ToolCallTarget> {
    if (typeof params.name !== 'string') throw invalidParams('params.name must be the name of a tool');
    const tool = await findVisible(this.calls.registry.get(params.name), this.visibility, enter);
    if (!tool) throw invalidParams(`Unknown tool: ${params.name.slice(0, 128)}`);
    found(tool);
    return readToolCall(params, tool);
  }

  async handle(context: DispatchContext): Promise<McpResult> {
    const { invoker, wire } = this.calls;
    const target = toolCallOf(context)!;
    const outcome = await invoker.invoke(wire.invocation(context, target));
    return wire.reply(context, target, outcome);
  }
}
