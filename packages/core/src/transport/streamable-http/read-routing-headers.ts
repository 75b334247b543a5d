import type { IncomingMessage } from 'node:http';
import type { RoutingHeaders } from '../../dispatch/exchange.js';

const MCP_PREFIX = 'mcp-';
const LETTER_M = 0x6d;
const LOWER_CASE = 0x20;

/**
 * The headers as dispatch reads them. Node joins the values of an unknown header that was sent twice as `a, b`, which
 * can equal a name that contains a comma. So `Mcp-*` headers that came more than once are given as lists, which the
 * raw header lines reveal.
 */
export function readRoutingHeaders({ headers, rawHeaders }: IncomingMessage): RoutingHeaders {
  let seen: string[] | undefined;
  let repeated: Record<string, readonly string[]> | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]!;
    if ((raw.charCodeAt(0) | LOWER_CASE) !== LETTER_M) continue;
    const name = raw.toLowerCase();
    if (!name.startsWith(MCP_PREFIX)) continue;
    if (seen?.includes(name) === true) (repeated ??= {})[name] = valuesOf(rawHeaders, name);
    else (seen ??= []).push(name);
  }
  return repeated === undefined ? headers : { ...headers, ...repeated };
}

/** How often a header was sent, which Node's own view hides for those, like `Host`, of which it keeps the first. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]!;
    if (raw.length === name.length && raw.toLowerCase() === name) count++;
  }
  return count;
}

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
