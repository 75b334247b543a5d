import { isJsonContentType } from '../../protocol/official.js';
import { compileAllowedHosts } from './allowed-hosts.js';
import { compileAllowedOrigins } from './allowed-origins.js';
import type { FastifyRequest } from './fastify-types.js';
import { isLoopback } from './loopback.js';
import { countHeader } from './read-routing-headers.js';
import { Refusals } from './refusal.js';
import type { Refusal } from './refusal.js';
import type { StrangerLog } from './stranger-log.js';

/** Whose requests an endpoint takes. */
export interface AllowedCallers {
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  /** Whether others than this machine may be answered at all; without it they may. */
  readonly isProtected?: boolean;
}

/** The reason to refuse a request, from its head alone; undefined to accept it. */
export type CheckRequest = (request: FastifyRequest) => Refusal | undefined;

/**
 * Compiles the checks that need no body, in their order: `Host` and `Origin` (MCP transports "Security warning"), HTTP
 * method, content type. The first two come before all others, so that strangers learn nothing about the endpoint.
 */
export function compileRequestCheck({ allowedHosts, allowedOrigins, isProtected = true }: AllowedCallers, log: StrangerLog): CheckRequest {
  const isAllowedHost = compileAllowedHosts(allowedHosts);
  const isAllowedOrigin = compileAllowedOrigins(allowedOrigins);
  // The loopback names are for this machine: a request from another one that uses them tries to pass this check.
  const takesOutsiders = allowedHosts !== undefined && isProtected;
  const refuseHost = (host: string): Refusal => {
    log.refused('Host', host, 'allowedHosts');
    return Refusals.HostNotAllowed;
  };
  return ({ raw: { headers, rawHeaders, method, url, socket } }) => {
    if (countHeader(rawHeaders, 'host') > 1) return Refusals.HostRepeated;
    const host = headers.host ?? headers[':authority'];
    if (typeof host !== 'string' || !isAllowedHost(host)) return refuseHost(String(host ?? ''));
    if (!takesOutsiders && !isLoopback(socket.localAddress)) return refuseHost(host);
    if (url !== undefined && !url.startsWith('/') && !isAllowedHost(authorityOf(url))) return refuseHost(authorityOf(url));
    if (headers.origin !== undefined && !isAllowedOrigin(headers.origin)) {
      log.refused('Origin', headers.origin, 'allowedOrigins');
      return Refusals.OriginNotAllowed;
    }
    if (method !== 'POST') return Refusals.MethodNotAllowed;
    return isJsonContentType(headers['content-type']) ? undefined : Refusals.NotJson;
  };
}

// A target in absolute form, as proxies are sent it, names the host over the head of the Host header (RFC 9112 §3.2.2).
function authorityOf(target: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/(?<authority>[^/?#]*)/i.exec(target)?.groups?.authority ?? '';
}
