import { isJsonContentType } from '../../protocol/official.js';
import { compileAllowedHosts, isLoopback } from './allowed-hosts.js';
import { compileAllowedOrigins } from './allowed-origins.js';
import { countHeader, type FastifyRequest } from './fastify.js';
import { Refusals, type Refusal } from './refusal.js';
import { Logger } from '@nestjs/common';
import { loggable } from '../../protocol/texts.js';

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
  // Nearly every request names the same host as the one before it, at the same address.
  let accepted: { readonly host?: string; readonly address?: string | undefined } = {};
  return ({ raw: { headers, rawHeaders, method, url, socket } }) => {
    if (countHeader(rawHeaders, 'host') > 1) return Refusals.HostRepeated;
    const host = headers.host ?? headers[':authority'];
    const address = takesOutsiders ? undefined : socket.localAddress;
    if (host === undefined || host !== accepted.host || address !== accepted.address) {
      if (typeof host !== 'string' || !isAllowedHost(host) || !isLoopback(address)) return refuseHost(String(host ?? ''));
      accepted = { host, address };
    }
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

/** The most different values that are logged; further ones are only counted. */
const MAX_NAMED = 50;

/** Says once for each `Host` and `Origin` that was refused which option would allow it; bounded, since strangers choose the values. */
export class StrangerLog {
  private readonly logger = new Logger('McpModule');
  private readonly named = new Set<string>();

  constructor(private readonly path: string) {}

  /** @param option where the value would have to stand */
  refused(header: 'Host' | 'Origin', value: string, option: 'allowedHosts' | 'allowedOrigins'): void {
    const text = loggable(value);
    const key = `${header} ${text}`;
    if (this.named.size >= MAX_NAMED || this.named.has(key)) return;
    this.named.add(key);
    this.logger.warn(`${this.path} refused the ${header} "${text}", which is not in ${option} of McpModule${this.lastWord()}`);
  }

  private lastWord(): string {
    return this.named.size < MAX_NAMED ? '' : '; further refused ones are not logged';
  }
}

const TOKEN = 'access_token';

/**
 * Removes a token from the query, where no client may send one (MCP basic/authorization "Token requirements"): login
 * strategies that look for it would accept it, and the URL appears in logs.
 */
export function stripQueryToken(request: FastifyRequest): void {
  const { raw, query } = request;
  if (raw.url === undefined || typeof query !== 'object' || query === null || !Object.hasOwn(query, TOKEN)) return;
  Reflect.deleteProperty(query, TOKEN);
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
