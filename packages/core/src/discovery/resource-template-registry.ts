import { UriTemplate, type TemplateVariables } from '../uri-template/uri-template.js';
import type { ResourceTemplateDefinition } from './handler-definition.js';
import { HandlerRegistry } from './handler-registry.js';

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
