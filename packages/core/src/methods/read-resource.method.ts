import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import type { ResourceDefinition, ResourceTemplateDefinition } from '../discovery/handler-definition.js';
import type { TemplateMatch } from '../discovery/registries.js';
import { invalidParams, type McpError } from '../errors/mcp.error.js';
import type { JsonObject } from '../protocol/json.js';
import { whenReady, type MaybePromise } from '../protocol/maybe-promise.js';
import type { McpResult } from '../protocol/messages.js';
import { Method } from '../protocol/vocabulary.js';
import { mapResourceResult } from '../results/map-resource-result.js';
import { isAbsoluteUri, toAsciiUri } from '../protocol/texts.js';
import { withReadHints, type CacheSettings } from './cache-hints.js';
import { findVisible, type Enter } from './find-visible.js';
import type { HandlerCallTarget } from './handler-calls.js';
import type { Surface } from './surface.js';

/** The subject of a `resources/read`: a resource, or the template that matches best. */
export interface ResourceTarget extends HandlerCallTarget {
  readonly kind: 'resource' | 'resource-template';
  readonly handler: ResourceDefinition | ResourceTemplateDefinition;
  readonly uri: string;
  /** Another caller may be answered by another resource, since one that was looked at may be hidden. */
  readonly depends: boolean;
}

/** Options of the server that apply to reads. */
export interface ReadSettings {
  /** Characters of a URI; a longer one names nothing. */
  readonly maxUriLength: number;
  readonly cache: CacheSettings;
}

/** A search among the templates. */
interface Search {
  readonly uri: string;
  readonly enter: Enter;
  /** Another caller may get an answer that was computed before. */
  readonly depends: boolean;
}

/** `resources/read` (MCP server/resources "Reading resources"): an exact URI beats every template, and the most specific template beats the others. */
export class ReadResourceMethod implements McpMethod {
  readonly name = Method.ReadResource;
  readonly guards = 'handler';

  constructor(
    private readonly surface: Surface,
    private readonly settings: ReadSettings,
  ) {}

  resolve({ params }: DispatchContext, enter: Enter): MaybePromise<ResourceTarget> {
    const { uri } = params;
    if (typeof uri !== 'string') throw invalidParams('params.uri must be the URI of a resource');
    if (uri.length > this.settings.maxUriLength) throw invalidParams(`params.uri is longer than ${this.settings.maxUriLength} characters`);
    return whenReady(isAbsoluteUri(uri) ? this.find(uri, enter) : undefined, (target) => {
      if (!target) throw unknownResource(uri);
      return target;
    });
  }

  handle(context: DispatchContext): MaybePromise<McpResult> {
    const target = context.target as ResourceTarget;
    const { handler, uri, depends } = target;
    const { name, mimeType } = handler.descriptor;
    const answered = this.surface.calls.answer(context, target, (value) =>
      mapResourceResult(value, { uri: toAsciiUri(uri), name, mimeType }),
    );
    return whenReady(answered, (result) => {
      if (result.resultType !== 'complete') return result;
      return withReadHints(result, { settings: this.settings.cache, own: handler.cache, mayHide: depends, params: context.params });
    });
  }

  private find(uri: string, enter: Enter): MaybePromise<ResourceTarget | undefined> {
    const { resources, visibility } = this.surface;
    const declared = resources.get(uri);
    const depends = declared !== undefined && visibility.mayHide(declared);
    return whenReady(findVisible(declared, visibility, enter), (exact) =>
      exact
        ? { kind: 'resource', name: uri, uri, handler: exact, depends, arguments: {} }
        : this.match(this.surface.templates.matches(uri), { uri, depends, enter }),
    );
  }

  /** The template that matches best of those which the caller sees. */
  private match([match, ...others]: readonly TemplateMatch[], { uri, depends, enter }: Search): MaybePromise<ResourceTarget | undefined> {
    if (!match) return undefined;
    const { visibility } = this.surface;
    const { definition, variables } = match;
    const mayDiffer = depends || visibility.mayHide(definition);
    return whenReady(findVisible(definition, visibility, enter), (handler) =>
      handler
        ? { kind: 'resource-template', name: uri, uri, handler, depends: mayDiffer, arguments: variables as JsonObject }
        : this.match(others, { uri, depends: mayDiffer, enter }),
    );
  }
}

/** A resource that is not there, or that its caller does not see. */
export function unknownResource(uri: string): McpError {
  // A lone surrogate has no encoding.
  const shown = toAsciiUri(uri.toWellFormed());
  return invalidParams(`Unknown resource: ${shown.slice(0, 128)}`, { uri: shown });
}
