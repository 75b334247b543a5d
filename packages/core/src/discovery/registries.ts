import type {
  HandlerDefinition,
  ToolDefinition,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
} from './handler-definition.js';
import { UriTemplate, type TemplateVariables } from '../uri-template/uri-template.js';

/**
 * The server's handlers of one kind: found by the key that requests use, listed in a stable order, that of declaration
 * and then of addition. It may change at run time; `version` lets callers notice that derived data is out of date.
 */
export abstract class HandlerRegistry<D extends HandlerDefinition> {
  private readonly definitions = new Map<string, D>();
  /** The handlers by what requests name them: a name, a URI or a template. */
  readonly byKey: ReadonlyMap<string, D> = this.definitions;
  /** Made when it is asked for, so that adding many handlers takes linear time. */
  private ordered: readonly D[] | undefined;
  private changes = 0;

  /** By what requests name a handler of the kind: its name, URI or template. */
  abstract keyOf(definition: D): string;

  /** Grows with every change. */
  get version(): number {
    return this.changes;
  }

  list(): readonly D[] {
    this.ordered ??= Object.freeze([...this.definitions.values()]);
    return this.ordered;
  }

  /** Takes these in the place of all others; at boot those of the application. */
  replace(definitions: readonly D[]): void {
    this.definitions.clear();
    for (const definition of definitions) this.definitions.set(this.keyOf(definition), definition);
    this.changed();
  }

  /** Adds one behind the others. @throws Error when its key is taken */
  add(definition: D): void {
    const key = this.keyOf(definition);
    const former = this.definitions.get(key);
    if (former) throw new Error(`The ${definition.kind} "${key}" already exists: ${former.where}`);
    this.definitions.set(key, definition);
    this.changed();
  }

  /**
   * Removes a handler.
   * @returns the removed handler; undefined if the key has none
   */
  remove(key: string): D | undefined {
    const former = this.definitions.get(key);
    if (this.definitions.delete(key)) this.changed();
    return former;
  }

  private changed(): void {
    this.ordered = undefined;
    this.changes += 1;
  }
}

/** The server's tools, by name (MCP server/tools). */
export class ToolRegistry extends HandlerRegistry<ToolDefinition> {
  override keyOf({ name }: ToolDefinition): string {
    return name;
  }
}

/** The server's prompts, by name (MCP server/prompts). */
export class PromptRegistry extends HandlerRegistry<PromptDefinition> {
  override keyOf({ name }: PromptDefinition): string {
    return name;
  }
}

/** The server's resources, by URI, character by character (MCP server/resources). */
export class ResourceRegistry extends HandlerRegistry<ResourceDefinition> {
  override keyOf({ descriptor }: ResourceDefinition): string {
    return descriptor.uri;
  }
}

/** A template that matches a URI, and the variables it found there. */
export interface TemplateMatch {
  readonly definition: ResourceTemplateDefinition;
  readonly variables: TemplateVariables;
}

interface CompiledTemplate {
  readonly definition: ResourceTemplateDefinition;
  readonly template: UriTemplate;
}

/** The server's resource templates, by template (MCP server/resources "Resource templates"). */
export class ResourceTemplateRegistry extends HandlerRegistry<ResourceTemplateDefinition> {
  private compiled: { readonly version: number; readonly templates: readonly CompiledTemplate[] } = { version: -1, templates: [] };

  override keyOf({ descriptor }: ResourceTemplateDefinition): string {
    return descriptor.uriTemplate;
  }

  /**
   * The templates that match `uri`, the most specific first: that of more literal characters; of equals, that of fewer variables; then that with
   * fewer variables that span segments (`{+x}`, `{#x}`, `{?x}`); then the one declared first.
   */
  matches(uri: string): TemplateMatch[] {
    return this.bySpecificity().flatMap(({ definition, template }) => {
      const variables = template.match(uri);
      return variables ? [{ definition, variables }] : [];
    });
  }

  private bySpecificity(): readonly CompiledTemplate[] {
    if (this.compiled.version !== this.version) {
      const templates = this.list().map((definition) => ({ definition, template: new UriTemplate(this.keyOf(definition)) }));
      this.compiled = { version: this.version, templates: templates.toSorted(moreSpecificFirst) };
    }
    return this.compiled.templates;
  }
}

function moreSpecificFirst({ template: one }: CompiledTemplate, { template: other }: CompiledTemplate): number {
  const differing = [0, 1, 2].find((index) => one.specificity[index] !== other.specificity[index]);
  return differing === undefined ? 0 : other.specificity[differing]! - one.specificity[differing]!;
}

/** The handlers of an endpoint, by kind. */
export class Registries {
  constructor(
    readonly tools: ToolRegistry,
    readonly prompts: PromptRegistry,
    readonly resources: ResourceRegistry,
    readonly templates: ResourceTemplateRegistry,
  ) {}

  /** Every handler. */
  list(): HandlerDefinition[] {
    return [...this.tools.list(), ...this.prompts.list(), ...this.resources.list(), ...this.templates.list()];
  }

  /** Takes the application's handlers over, at boot, before those that were added by then. */
  takeOver(definitions: readonly HandlerDefinition[]): void {
    this.tools.replace([...definitions.filter((definition) => definition.kind === 'tool'), ...this.tools.list()]);
    this.prompts.replace([...definitions.filter((definition) => definition.kind === 'prompt'), ...this.prompts.list()]);
    this.resources.replace([...definitions.filter((definition) => definition.kind === 'resource'), ...this.resources.list()]);
    this.templates.replace([...definitions.filter((definition) => definition.kind === 'resource-template'), ...this.templates.list()]);
  }
}
