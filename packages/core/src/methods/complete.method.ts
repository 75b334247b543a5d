import type { DispatchContext, DispatchTarget } from '../dispatch/dispatch-context.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import type { HandlerDefinition } from '../discovery/handler-definition.js';
import type { Enter } from '../handlers/run/kind-rules.js';
import type { McpResult } from '../protocol/messages.js';
import { Method } from '../protocol/vocabulary.js';
import { mapCompletion, type McpCompletion } from '../results/map-completion.js';
import { listedValues } from '../schema/property-values.js';
import { readCompletionRequest, type CompletionRequest } from './completion-request.js';
import { unknownPrompt } from './kinds/prompt-rules.js';
import { unknownResource } from './kinds/resource-rules.js';
import type { Surface } from './surface.js';

interface CompletionTarget extends DispatchTarget {
  readonly kind: 'completion';
  /** The prompt, template or resource whose argument is completed. */
  readonly handler: HandlerDefinition;
  readonly request: CompletionRequest;
}

/**
 * `completion/complete` (MCP server/utilities/completion): by the method that `@McpComplete` marks, else from the values that the argument's schema lists.
 * An argument that nothing completes, or that does not exist, has no values. Guarded like the prompt or template that it completes.
 */
export class CompleteMethod implements McpMethod {
  readonly name = Method.Complete;
  readonly guards = 'handler';

  constructor(private readonly surface: Surface) {}

  async resolve({ params }: DispatchContext, enter: Enter): Promise<CompletionTarget> {
    const request = readCompletionRequest(params);
    const { ref } = request;
    const owner = await this.surface.visibility.find(this.ownerOf(ref), enter);
    if (!owner) throw ref.type === 'ref/prompt' ? unknownPrompt(ref.name) : unknownResource(ref.uri);
    return { kind: 'completion', name: ref.type === 'ref/prompt' ? ref.name : ref.uri, handler: owner, request };
  }

  async handle({ target, exchange, envelope, principal: settled, guards }: DispatchContext): Promise<McpResult> {
    const { handler: owner, request } = target as CompletionTarget;
    const { signal, request: seen, responseHeaders } = exchange;
    const guarded = {
      envelope,
      signal,
      request: seen,
      arguments: request.known,
      responseHeaders,
      mark: guards,
      principal: settled,
    };
    const principal = await this.surface.guards.pass(owner, guarded);
    const { argument, known } = request;
    const completer =
      owner.kind === 'prompt' || owner.kind === 'resource-template' ? this.surface.completers.find(owner, argument.name) : undefined;
    if (!completer) return mapCompletion(fromSchema(owner, argument), owner.where);
    try {
      const given = [argument.value, known as Record<string, string>, { principal, signal }] as const;
      return mapCompletion(await completer.complete(seen, given), completer.where);
    } catch (raised) {
      throw this.failed(raised, owner);
    }
  }

  private ownerOf(ref: CompletionRequest['ref']): HandlerDefinition | undefined {
    const { prompts, templates, resources } = this.surface;
    return ref.type === 'ref/prompt' ? prompts.get(ref.name) : (templates.get(ref.uri) ?? resources.get(ref.uri));
  }

  private failed(raised: unknown, owner: HandlerDefinition): unknown {
    const { translation, failure } = this.surface;
    const error = translation.translate(raised);
    return failure.errorOf({ error, log: 'stack', atArguments: false }, owner);
  }
}

/** Those that begin with the text come first, then those that hold it; in the order of the schema. */
function fromSchema({ inputSchema }: HandlerDefinition, { name, value }: CompletionRequest['argument']): readonly string[] | McpCompletion {
  const sought = value.toLowerCase();
  const holding = listedValues(inputSchema.json, name).filter((listed) => listed.toLowerCase().includes(sought));
  const begins = (listed: string): boolean => listed.toLowerCase().startsWith(sought);
  return [...holding.filter(begins), ...holding.filter((listed) => !begins(listed))];
}
