import type { TemplatePart } from './parse-template.js';

/** Neither ends a path segment, nor begins the query or the fragment, nor separates values. */
const SEGMENT_ENDS = new Set(['/', '?', '#', ',']);

/** Where a part begins, and from which positions the parts after it reach the end. */
export interface SpanStart {
  readonly uri: string;
  readonly start: number;
  readonly next: Uint8Array;
}

/** For each part, and the end after the last, the positions from which it and all parts after it match to the end of `uri`: one sweep per part, from behind. */
export function reachableFrom(parts: readonly TemplatePart[], uri: string): readonly Uint8Array[] {
  const end = new Uint8Array(uri.length + 1);
  end[uri.length] = 1;
  const reachable: Uint8Array[] = [end];
  for (const part of parts.toReversed()) reachable.unshift(sweep(part, uri, reachable[0]!));
  return reachable;
}

/** The end of the longest span that `part` can have from `start`, which is reachable. */
export function spanOf(part: TemplatePart, { uri, start, next }: SpanStart): number {
  if (part.kind === 'literal') return start + part.text.length;
  const isQuery = part.kind === 'query';
  let longest = start;
  for (let position = isQuery && uri[start] === part.opener ? start + 1 : start; ; position++) {
    if (next[position] === 1 && (isQuery || position > start)) longest = position;
    if (position >= uri.length || (isQuery && uri[start] !== part.opener) || !mayHold(part, uri[position]!)) return longest;
  }
}

function sweep(part: TemplatePart, uri: string, next: Uint8Array): Uint8Array {
  const from = new Uint8Array(uri.length + 1);
  if (part.kind === 'literal') {
    for (let position = uri.length - part.text.length; position >= 0; position--) {
      if (next[position + part.text.length] === 1 && uri.startsWith(part.text, position)) from[position] = 1;
    }
    return from;
  }
  // Whether a run of allowed characters from here ends where the next part may begin; `inner` is the answer one character later.
  let inner = 0;
  if (part.kind === 'query') from[uri.length] = next[uri.length]!;
  for (let position = uri.length - 1; position >= 0; position--) {
    const run = next[position + 1] === 1 || inner === 1 ? 1 : 0;
    if (part.kind === 'query') from[position] = next[position] === 1 || (uri[position] === part.opener && run === 1) ? 1 : 0;
    else from[position] = mayHold(part, uri[position]!) ? run : 0;
    inner = mayHold(part, uri[position]!) ? run : 0;
  }
  return from;
}

function mayHold(part: Exclude<TemplatePart, { kind: 'literal' }>, char: string): boolean {
  if (part.kind === 'query') return char !== '#';
  if (part.chars === 'any' || char === part.separator) return true;
  return !SEGMENT_ENDS.has(char);
}
