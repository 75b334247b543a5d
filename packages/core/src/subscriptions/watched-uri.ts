/**
 * The watched URI that `uri` is, or lies in: the nearest one, or undefined. `file:///a/b` and `file:///a#b` lie in `file:///a`, and
 * `file:///ab` does not (MCP server/resources "Subscriptions": an update may name a sub-resource).
 */
export function watchedBy(uri: string, watched: ReadonlySet<string>): string | undefined {
  if (watched.has(uri)) return uri;
  for (let end = lastCut(uri, uri.length - 1); end > 0; end = lastCut(uri, end - 1)) {
    // With its delimiter a URI names what lies in it as well as without.
    const whole = uri.slice(0, end + 1);
    if (watched.has(whole)) return whole;
    const parent = uri.slice(0, end);
    if (watched.has(parent)) return parent;
  }
  return undefined;
}

function lastCut(uri: string, from: number): number {
  return Math.max(uri.lastIndexOf('/', from), uri.lastIndexOf('#', from));
}
