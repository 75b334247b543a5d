/**
 * The watched URI that equals `uri` or contains it: the nearest one, or undefined. `file:///a/b` and `file:///a#b` are
 * below `file:///a`, and `file:///ab` is not (MCP server/resources "Subscriptions": an update may name a
 * sub-resource). The cost depends on the watched URIs, whatever the length of `uri`, which may come from a caller.
 */
export function watchedBy(uri: string, watched: ReadonlySet<string>): string | undefined {
  if (watched.has(uri)) return uri;
  let nearest: string | undefined;
  for (const root of watched) if (root.length > (nearest?.length ?? 0) && liesIn(uri, root)) nearest = root;
  return nearest;
}

function liesIn(uri: string, root: string): boolean {
  // With its delimiter a URI names what lies in it as well as without.
  return uri.startsWith(root) && (isDelimiter(root.at(-1)) || isDelimiter(uri[root.length]));
}

function isDelimiter(character: string | undefined): boolean {
  return character === '/' || character === '#';
}
