import type { DispatchContext, DispatchTarget } from '../dispatch/dispatch-context.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import type { HandlerDefinition } from '../discovery/handler-definition.js';
import type { Completers } from '../handlers/completion/completers.js';
import type { Enter } from '../handlers/run/kind-rules.js';
import type { McpResult } from '../protocol/messages.js';
import { Method } from '../protocol/vocabulary.js';
import { mapCompletion, type McpCompletion } from '../results/map-completion.js';
import { listedValues } from '../schema/property-values.js';
import { unknownPrompt, readTextArguments } from './kinds/prompt-rules.js';
import { unknownResource } from './kinds/resource-rules.js';
import type { Surface } from './surface.js';
import { invalidParams } from '../errors/mcp.error.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';

/** Params of a `completion/complete`. */
export interface CompletionRequest {
  readonly ref: { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** The arguments that are settled already. */
  readonly known: JsonObject;
}

/** Reads the params of `completion/complete` (MCP server/utilities/completion). @throws McpError -32602 */
export function readCompletionRequest({ ref, argument, context }: JsonObject): CompletionRequest {
  if (!isJsonObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
    throw invalidParams('params.argument must be an object with the strings name and value');
  }
  if (context !== undefined && !isJsonObject(context)) throw invalidParams('params.context must be an object');
  const known = readTextArguments(context?.arguments, 'params.context.arguments');
  return { ref: readRef(ref), argument: { name: argument.name, value: argument.value }, known };
}

function readRef(ref: unknown): CompletionRequest['ref'] {
  if (isJsonObject(ref)) {
    if (ref.type === 'ref/prompt' && typeof ref.name === 'string') return { type: ref.type, name: ref.name };
    if (ref.type === 'ref/resource' && typeof ref.uri === 'string') return { type: ref.type, uri: ref.uri };
  }
  throw invalidParams('params.ref must be { type: "ref/prompt", name } or { type: "ref/resource", uri }');
}

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

  constructor(
    private readonly surface: Surface,
    private readonly completers: Completers,
  ) {}

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
      owner.kind === 'prompt' || owner.kind === 'resource-template' ? this.completers.find(owner, argument.name) : undefined;
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
    return ref.type === 'ref/prompt' ? prompts.byKey.get(ref.name) : (templates.byKey.get(ref.uri) ?? resources.byKey.get(ref.uri));
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
