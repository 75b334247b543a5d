import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpPrincipal } from '../envelope/principal.js';
import type { ToolInvocation, ToolOutcome } from '../handlers/tool-invoker.js';
import { RequestProgress } from '../notifications/request-progress.js';
import type { McpResult } from '../protocol/messages.js';
import type { RequestStateBinding } from '../replay/request-state-codec.js';
import type { WireCarrier } from '../replay/wire-carrier.js';
import type { ToolCallTarget } from './tool-call.js';

/** The wire carrier of a tool call: how the call becomes an execution, and how the execution's outcome is answered. */
export class ToolCallWire {
  constructor(private readonly carrier: WireCarrier) {}

  /** The execution that the request asks for: its answers from the sealed token, its signal and progress those of the request. */
  invocation(context: DispatchContext, target: ToolCallTarget): ToolInvocation {
    const { exchange, envelope, params } = context;
    return {
      tool: target.tool,
      arguments: target.arguments,
      ledger: (principal) => this.carrier.open(params, binding(context, target, principal)),
      envelope,
      trigger: 'call',
      request: exchange.request,
      carrier: { signal: exchange.signal, progress: new RequestProgress(exchange.notifications, envelope.progressToken) },
    };
  }

  /** The answer to the request. @throws McpError when the outcome is a JSON-RPC error; Error when the ledger outgrows the token */
  reply(context: DispatchContext, target: ToolCallTarget, outcome: ToolOutcome): McpResult {
    switch (outcome.kind) {
      case 'completed':
        return outcome.result;
      case 'inputRequired':
        return this.carrier.ask(outcome.requests, outcome.ledger, binding(context, target, outcome.principal));
      case 'failed':
        throw outcome.error;
    }
  }
}

function binding({ method }: DispatchContext, target: ToolCallTarget, principal: McpPrincipal | undefined): RequestStateBinding {
  return { method, target: target.name, arguments: target.arguments, principalId: principal?.id };
}
