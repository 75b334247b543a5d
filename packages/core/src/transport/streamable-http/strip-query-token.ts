import type { FastifyRequest } from './fastify-types.js';

const TOKEN = 'access_token';

/**
 * Removes a token from the query, where no client may send one (MCP basic/authorization "Token requirements"): login
 * strategies that look for it would accept it, and the URL appears in logs.
 */
export function stripQueryToken(request: FastifyRequest): void {
  const { raw, query } = request;
  if (raw.url?.includes('?') !== true || typeof query !== 'object' || query === null || !Object.hasOwn(query, TOKEN)) return;
  delete (query as Record<string, unknown>)[TOKEN];
  const [path = '', ...rest] = raw.url.split('?');
  const kept = rest
    .join('?')
    .split('&')
    .filter((pair) => nameOf(pair) !== TOKEN);
  raw.url = kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

function nameOf(pair: string): string {
  try {
    return decodeURIComponent(pair.split('=', 1)[0]!.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
