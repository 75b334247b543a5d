import type { ResourceDefinition, ResourceTemplateDefinition } from '../../discovery/handler-definition.js';
import type { ResourceRegistry, ResourceTemplateRegistry, TemplateMatch } from '../../discovery/registries.js';
import { invalidParams, type McpError } from '../../errors/mcp.error.js';
import type { HandlerFailure, HandlerThrew } from '../../handlers/failure/handler-failure.js';
import type { CallTarget } from '../../handlers/run/invocation.js';
import type { Enter, KindRules } from '../../handlers/run/kind-rules.js';
import type { HandlerVisibility } from '../../handlers/visibility/handler-visibility.js';
import { isAbsoluteUri, toAsciiUri } from '../../protocol/texts.js';
import type { JsonObject } from '../../protocol/json.js';
import { whenReady, type MaybePromise } from '../../protocol/maybe-promise.js';
import type { McpResult } from '../../protocol/messages.js';
import { mapResourceResult } from '../../results/map-resource-result.js';
import { withReadHints, type CacheSettings } from '../cache-hints.js';

/** The subject of a `resources/read`: a resource, or the template that matches best. */
export interface ResourceTarget extends CallTarget<ResourceDefinition | ResourceTemplateDefinition> {
  readonly kind: 'resource' | 'resource-template';
  readonly uri: string;
  /** Another caller may be answered by another resource, since one that was looked at may be hidden. */
  readonly depends: boolean;
  /** Answers of a user go into the result. */
  readonly isAnswered: boolean;
}

/** Options of the server that apply to reads. */
export interface ReadSettings {
  /** Characters of a URI; a longer one names nothing. */
  readonly maxUriLength: number;
  readonly cache: CacheSettings;
}

/** Parts that reads use. */
export interface ResourceRulesParts {
  readonly resources: ResourceRegistry;
  readonly templates: ResourceTemplateRegistry;
  readonly visibility: HandlerVisibility;
  readonly failure: HandlerFailure;
}

/** A search for what serves a URI. */
interface Search {
  readonly uri: string;
  readonly enter: Enter;
  readonly isAnswered: boolean;
  /** Another caller may get an answer that was computed before. */
  readonly depends: boolean;
}

/**
 * A resource or a template (MCP server/resources "Reading resources"): an exact URI beats every template, and the most specific template beats the
 * others. Its failures are JSON-RPC errors.
 */
export class ResourceRules implements KindRules<ResourceTarget> {
  constructor(
    private readonly parts: ResourceRulesParts,
    private readonly settings: ReadSettings,
  ) {}

  read({ params }: { readonly params: JsonObject }, enter: Enter): MaybePromise<ResourceTarget> {
    const { uri } = params;
    if (typeof uri !== 'string') throw invalidParams('params.uri must be the URI of a resource');
    if (uri.length > this.settings.maxUriLength) throw invalidParams(`params.uri is longer than ${this.settings.maxUriLength} characters`);
    const isAnswered = params.inputResponses !== undefined || params.requestState !== undefined;
    return whenReady(isAbsoluteUri(uri) ? this.find({ uri, enter, isAnswered, depends: false }) : undefined, (target) => {
      if (!target) throw unknownResource(uri);
      return target;
    });
  }

  toResult(value: unknown, { uri, handler, depends, isAnswered }: ResourceTarget): McpResult {
    const { name, mimeType } = handler.descriptor;
    const result = mapResourceResult(value, { uri: toAsciiUri(uri), name, mimeType });
    return withReadHints(result, { settings: this.settings.cache, own: handler.cache, mayHide: depends, isAnswered });
  }

  toFailure(threw: HandlerThrew, { handler, uri }: ResourceTarget): McpError {
    return this.parts.failure.errorOf(threw, handler, uri);
  }

  private find(search: Search): MaybePromise<ResourceTarget | undefined> {
    const { resources, templates, visibility } = this.parts;
    const { uri, enter, isAnswered } = search;
    const declared = resources.byKey.get(uri);
    const depends = declared !== undefined && visibility.mayHide(declared);
    return whenReady(visibility.find(declared, enter), (exact) =>
      exact
        ? { kind: 'resource', name: uri, uri, handler: exact, depends, isAnswered, arguments: {} }
        : this.match(templates.matches(uri), { ...search, depends }),
    );
  }

  /** The template that matches best of those which the caller sees. */
  private match([match, ...others]: readonly TemplateMatch[], search: Search): MaybePromise<ResourceTarget | undefined> {
    if (!match) return undefined;
    const { visibility } = this.parts;
    const { uri, enter, isAnswered } = search;
    const { definition, variables } = match;
    const depends = search.depends || visibility.mayHide(definition);
    return whenReady(visibility.find(definition, enter), (handler) =>
      handler
        ? { kind: 'resource-template', name: uri, uri, handler, depends, isAnswered, arguments: variables as JsonObject }
        : this.match(others, { ...search, depends }),
    );
  }
}

/** A resource that is not there, or that its caller does not see. */
export function unknownResource(uri: string): McpError {
  // A lone surrogate has no encoding.
  const shown = toAsciiUri(uri.toWellFormed());
  return invalidParams(`Unknown resource: ${shown.slice(0, 128)}`, { uri: shown });
}
