import type { PromptDefinition } from '../../discovery/handler-definition.js';
import type { PromptRegistry } from '../../discovery/registries.js';
import { invalidParams, type McpError } from '../../errors/mcp.error.js';
import type { HandlerFailure, HandlerThrew } from '../../handlers/failure/handler-failure.js';
import type { CallTarget } from '../../handlers/run/invocation.js';
import type { Enter, Found, KindRules } from '../../handlers/run/kind-rules.js';
import type { HandlerVisibility } from '../../handlers/visibility/handler-visibility.js';
import { isJsonObject, type JsonObject } from '../../protocol/json.js';
import { whenReady, type MaybePromise } from '../../protocol/maybe-promise.js';
import type { McpResult } from '../../protocol/messages.js';
import { mapPromptResult } from '../../results/map-prompt-result.js';

/** The subject of a `prompts/get`. */
export interface PromptTarget extends CallTarget<PromptDefinition> {
  readonly kind: 'prompt';
}

/** A prompt (MCP server/prompts "Getting a prompt"): its failures are JSON-RPC errors. */
export class PromptRules implements KindRules<PromptTarget> {
  constructor(
    private readonly prompts: PromptRegistry,
    private readonly visibility: HandlerVisibility,
    private readonly failure: HandlerFailure,
  ) {}

  read({ params }: { readonly params: JsonObject }, enter: Enter, found: Found): MaybePromise<PromptTarget> {
    const { name } = params;
    if (typeof name !== 'string') throw invalidParams('params.name must be the name of a prompt');
    return whenReady(this.visibility.find(this.prompts.byKey.get(name), enter), (handler) => {
      if (!handler) throw unknownPrompt(name);
      found(handler);
      return { kind: 'prompt', name: handler.name, handler, arguments: readTextArguments(params.arguments, 'params.arguments') };
    });
  }

  toResult(value: unknown, { handler: { descriptor } }: PromptTarget): McpResult {
    return mapPromptResult(value, descriptor);
  }

  toFailure(threw: HandlerThrew, { handler }: PromptTarget): McpError {
    return this.failure.errorOf(threw, handler);
  }
}

/** A prompt that is not there, or that its caller does not see. */
export function unknownPrompt(name: string): McpError {
  return invalidParams(`Unknown prompt: ${name.slice(0, 128)}`);
}

/** The arguments of a prompt, or those of a completion's context: texts by name (MCP server/prompts "Getting a prompt"). @throws McpError -32602 */
export function readTextArguments(value: unknown, where: string): JsonObject {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw invalidParams(`${where} must be an object of strings`);
  const odd = Object.entries(value).find(([, text]) => typeof text !== 'string');
  if (odd) throw invalidParams(`${where}.${odd[0].slice(0, 64)} must be a string`);
  return value;
}
