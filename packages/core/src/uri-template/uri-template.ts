import { parseTemplate, variableNames, type TemplatePart } from './parse-template.js';
import { decodeQuery, decodeVariable, isOneSegment, type VariableValue } from './decode-variables.js';
import { reachableFrom, spanOf } from './reachable.js';

/** The values of a template's variables, decoded. Those of an optional part that is absent are absent. */
export type TemplateVariables = Readonly<Record<string, VariableValue>>;

/**
 * An RFC 6570 template as a pattern (MCP server/resources "Resource templates"). Matching takes time linear in the
 * length of the URI, whatever the URI: no backtracking. If a URI could be cut in several ways, the first variable gets
 * the most.
 */
export class UriTemplate {
  readonly variables: readonly string[];
  private readonly parts: readonly TemplatePart[];

  /**
   * Parses the template.
   * @throws Error with the mistake in it
   */
  constructor(readonly text: string) {
    this.parts = parseTemplate(text);
    this.variables = variableNames(this.parts);
  }

  /** The template without the names of its variables: two of the same shape match the same URIs. */
  get shape(): string {
    return this.parts.map((part) => (part.kind === 'literal' ? part.text : `{${shapeOf(part)}}`)).join('');
  }

  /** The beginning of every URI that it matches. */
  get prefix(): string {
    const [first] = this.parts;
    return first?.kind === 'literal' ? first.text : '';
  }

  /** How much of a URI it settles: more literal characters, then fewer variables, then fewer that span segments. Descending order of these is "most specific first". */
  get specificity(): readonly [literals: number, variables: number, wide: number] {
    const literals = this.parts.reduce((sum, part) => sum + (part.kind === 'literal' ? part.text.length : 0), 0);
    const wide = this.parts.filter((part) => part.kind === 'query' || (part.kind === 'variable' && part.chars === 'any')).length;
    return [literals, -this.variables.length, -wide];
  }

  /** The variables of `uri`, or undefined when it does not match. */
  match(uri: string): TemplateVariables | undefined {
    if (!uri.startsWith(this.prefix)) return undefined;
    const reachable = reachableFrom(this.parts, uri);
    if (reachable[0]![0] !== 1) return undefined;
    const values: [string, VariableValue][] = [];
    let start = 0;
    for (const [index, part] of this.parts.entries()) {
      const end = spanOf(part, { uri, start, next: reachable[index + 1]! });
      const found = valuesOf(part, uri.slice(start, end));
      if (!found) return undefined;
      values.push(...found);
      start = end;
    }
    // fromEntries defines: a variable named `__proto__` stays data.
    return Object.fromEntries(values);
  }
}

function valuesOf(part: TemplatePart, text: string): [string, VariableValue][] | undefined {
  if (part.kind === 'literal') return [];
  if (part.kind === 'query') return decodeQuery(text.slice(1), part.names);
  const value = decodeVariable(text, part.separator);
  if (value === undefined || (part.chars === 'segment' && !isOneSegment(value))) return undefined;
  return [[part.name, value]];
}

function shapeOf(part: Exclude<TemplatePart, { kind: 'literal' }>): string {
  if (part.kind === 'query') return `${part.opener}${part.names.toSorted().join()}`;
  return `${part.chars === 'any' ? '+' : ''}${part.separator === undefined ? '' : '*'}`;
}
