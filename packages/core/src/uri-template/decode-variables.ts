/** Value of a variable: a string, or the strings of an exploded one. */
export type VariableValue = string | readonly string[];

/** The value of a variable, percent-decoded. Undefined when it is no percent-encoded UTF-8: then the URI does not match. */
export function decodeVariable(text: string, separator: string | undefined): VariableValue | undefined {
  if (separator === undefined) return decode(text);
  const items = text.split(separator).map(decode);
  return items.every((item) => item !== undefined) ? items : undefined;
}

/**
 * Whether a value stays in its segment once it is decoded. `a%2Fb` and `..` are one segment of a URI, but a path for
 * code that joins them to a folder. A template that means paths says so with `{+name}`.
 */
export function isOneSegment(value: VariableValue): boolean {
  return [value].flat().every((text) => !text.includes('/') && !text.split('\\').some((piece) => piece === '.' || piece === '..'));
}

/** The pairs of a query, each of a name in `names` and at most once; undefined when it has others. */
export function decodeQuery(text: string, names: readonly string[]): [string, string][] | undefined {
  const pairs: [string, string][] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [, name = pair, written = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    const value = decode(written);
    if (value === undefined || !names.includes(name) || pairs.some(([former]) => former === name)) return undefined;
    pairs.push([name, value]);
  }
  return pairs;
}

function decode(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text);
    // What ends a string in a file system must not be smuggled in.
    return value.includes('\0') ? undefined : value;
  } catch {
    return undefined;
  }
}
