import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import type { PromptDefinition } from '../discovery/handler-definition.js';
import { invalidParams, type McpError } from '../errors/mcp.error.js';
import { whenReady, type MaybePromise } from '../protocol/maybe-promise.js';
import type { McpResult } from '../protocol/messages.js';
import { Method } from '../protocol/vocabulary.js';
import { mapPromptResult } from '../results/map-prompt-result.js';
import { findVisible, type Enter, type Found } from './find-visible.js';
import type { HandlerCallTarget } from './handler-calls.js';
import type { Surface } from './surface.js';
import { readTextArguments } from './text-arguments.js';

/** The subject of a `prompts/get`. */
export interface PromptTarget extends HandlerCallTarget {
  readonly kind: 'prompt';
  readonly handler: PromptDefinition;
}

/** `prompts/get` (MCP server/prompts "Getting a prompt"): runs the prompt within the request. */
export class GetPromptMethod implements McpMethod {
  readonly name = Method.GetPrompt;
  readonly guards = 'handler';

  constructor(private readonly surface: Surface) {}

  resolve({ params }: DispatchContext, enter: Enter, found: Found): MaybePromise<PromptTarget> {
    const { prompts, visibility } = this.surface;
    const { name } = params;
    if (typeof name !== 'string') throw invalidParams('params.name must be the name of a prompt');
    return whenReady(findVisible(prompts.get(name), visibility, enter), (handler) => {
      if (!handler) throw unknownPrompt(name);
      found(handler);
      return { kind: 'prompt', name: handler.name, handler, arguments: readTextArguments(params.arguments, 'params.arguments') };
    });
  }

  handle(context: DispatchContext): MaybePromise<McpResult> {
    const target = context.target as PromptTarget;
    const { name, description } = target.handler.descriptor;
    return this.surface.calls.answer(context, target, (value) => mapPromptResult(value, { name, description }));
  }
}

/** A prompt that is not there, or that its caller does not see. */
export function unknownPrompt(name: string): McpError {
  return invalidParams(`Unknown prompt: ${name.slice(0, 128)}`);
}
