import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import type { HandlerKind } from '../discovery/handler-definition.js';
import type { CallTarget } from '../handlers/run/invocation.js';
import type { Enter, Found } from '../handlers/run/kind-rules.js';
import type { MaybePromise } from '../protocol/maybe-promise.js';
import type { McpResult } from '../protocol/messages.js';
import type { CallRunner } from './call-runner.js';

/** `tools/call`, `prompts/get` and `resources/read`: run a handler within the request, by the rules of its kind. */
export class CallMethod implements McpMethod {
  readonly guards = 'handler';

  constructor(
    readonly name: string,
    private readonly kind: HandlerKind,
    private readonly calls: CallRunner,
  ) {}

  resolve({ params }: DispatchContext, enter: Enter, found: Found): MaybePromise<CallTarget> {
    return this.calls.rules[this.kind].read(params, enter, found);
  }

  handle(context: DispatchContext): MaybePromise<McpResult> {
    return this.calls.answer(context, context.target as CallTarget);
  }
}
