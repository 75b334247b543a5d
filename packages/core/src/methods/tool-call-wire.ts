import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { ToolInvocation, ToolOutcome } from '../handlers/run/tool-invoker.js';
import type { McpResult } from '../protocol/messages.js';
import type { CallWire } from './call-wire.js';
import { checkParamHeaders } from './check-param-headers.js';
import type { ToolCallTarget } from './tool-call.js';

/** The wire carrier of a tool call: how the call becomes an execution, and how the execution's outcome is answered. */
export class ToolCallWire {
  constructor(private readonly wire: CallWire) {}

  /**
   * The execution that the request asks for: its answers from the sealed token, its signal and progress those of the request.
   * @throws McpError -32020 when the headers that repeat arguments do not agree with them
   */
  invocation(context: DispatchContext, target: ToolCallTarget): ToolInvocation {
    checkParamHeaders(context.exchange.headers, target);
    return { tool: target.tool, ...this.wire.execution(context, target) };
  }

  /** The answer to the request. @throws McpError when the outcome is a JSON-RPC error; Error when the ledger outgrows the token */
  reply(context: DispatchContext, target: ToolCallTarget, outcome: ToolOutcome): McpResult {
    switch (outcome.kind) {
      case 'completed':
        return outcome.result;
      case 'inputRequired':
        return this.wire.ask(context, target, outcome);
      case 'failed':
        throw outcome.error;
    }
  }
}
