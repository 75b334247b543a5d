/** Which characters a variable may hold before they are decoded. */
export type VariableChars = 'segment' | 'any';

/** One piece of a template, in the form that matching needs. */
export type TemplatePart =
  | { readonly kind: 'literal'; readonly text: string }
  /** At least one character. An exploded one is a list, split at `separator`. */
  | { readonly kind: 'variable'; readonly name: string; readonly chars: VariableChars; readonly separator?: string }
  /** `{?a,b}` or `{&a,b}`: absent, or pairs in any order, each at most once. */
  | { readonly kind: 'query'; readonly opener: '?' | '&'; readonly names: readonly string[] };

interface Variable {
  readonly name: string;
  readonly exploded: boolean;
}

/** How an operator is matched: what stands before the first variable and between them, and what a variable may hold. */
const OPERATORS: Readonly<Record<string, { readonly first: string; readonly between: string; readonly chars: VariableChars }>> = {
  '': { first: '', between: ',', chars: 'segment' },
  '+': { first: '', between: ',', chars: 'any' },
  '#': { first: '#', between: ',', chars: 'any' },
  '.': { first: '.', between: '.', chars: 'segment' },
  '/': { first: '/', between: '/', chars: 'segment' },
};

const EXPRESSION = /^([+#./?&;]?)(.*)$/;
const VARIABLE = /^((?:\w|%[0-9A-Fa-f]{2})(?:[\w.]|%[0-9A-Fa-f]{2})*)(\*|:\d+)?$/;
const LITERAL = /^[^\s"'<>\\^`{|}\p{Cc}]*$/u;
const MAX_VARIABLES = 32;

/**
 * Reads an RFC 6570 template, of which the forms that can be matched backwards are taken: `{x}`, `{+x}`, `{#x}`, `{.x}`, `{/x}`, `{?x}`, `{&x}`, with
 * several variables each, and `*` where it lists path segments or values.
 * @throws Error saying what of it is not RFC 6570, or cannot be matched
 */
export function parseTemplate(template: string): readonly TemplatePart[] {
  const pieces = template.split(/(\{[^{}]*\})/).filter((piece) => piece !== '');
  const parts = pieces.flatMap((piece) => (piece.startsWith('{') && piece.endsWith('}') ? expression(piece.slice(1, -1)) : literal(piece)));
  const names = variableNames(parts);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`the variable "${twice}" is used twice`);
  if (names.length > MAX_VARIABLES) throw new Error(`it has more than ${MAX_VARIABLES} variables`);
  return parts;
}

/** The variables of a template, in their order. */
export function variableNames(parts: readonly TemplatePart[]): string[] {
  return parts.flatMap((part) => (part.kind === 'variable' ? [part.name] : part.kind === 'query' ? part.names : []));
}

function literal(text: string): TemplatePart[] {
  if (!LITERAL.test(text)) throw new Error(`"${text}" contains a character that is not allowed in a URI template, such as a single brace`);
  return [{ kind: 'literal', text }];
}

function expression(text: string): TemplatePart[] {
  const [, operator = '', list = ''] = EXPRESSION.exec(text)!;
  if (operator === ';') throw new Error(`{${text}} is a path-style parameter, which cannot be matched`);
  const variables = list.split(',').map((spec) => variable(spec, text));
  if (operator === '?' || operator === '&') return [query(operator, variables, text)];
  const { first, between, chars } = OPERATORS[operator]!;
  return variables.flatMap(({ name, exploded }, index) => {
    if (exploded && chars === 'any') throw new Error(`{${text}} is a list whose end cannot be recognised: write it without the *`);
    const before = index === 0 ? first : between;
    const part: TemplatePart = { kind: 'variable', name, chars, separator: exploded ? between : undefined };
    return before === '' ? [part] : [{ kind: 'literal', text: before }, part];
  });
}

function query(opener: '?' | '&', variables: readonly Variable[], text: string): TemplatePart {
  if (variables.some(({ exploded }) => exploded))
    throw new Error(`{${text}} does not name its parameters: write each by name, without the *`);
  return { kind: 'query', opener, names: variables.map(({ name }) => name) };
}

function variable(spec: string, text: string): Variable {
  const [, name, modifier] = VARIABLE.exec(spec) ?? [];
  if (name === undefined) throw new Error(`{${text}} is not an expression of RFC 6570`);
  if (modifier?.startsWith(':')) throw new Error(`{${text}} cuts off a value, which cannot be matched: write it without the prefix`);
  return { name, exploded: modifier === '*' };
}
