import { domainToASCII } from 'node:url';

/** A host name with a port, as `Host` and the tail of `Origin` write it (RFC 3986 §3.2 without userinfo). */
export interface Authority {
  /** Lower case, without a trailing dot; an IPv6 address in brackets, in its shortest form. */
  readonly hostname: string;
  /** Undefined if none is written. */
  readonly port?: number;
}

const AUTHORITY = /^(?<hostname>\[[0-9a-f:.]{2,45}\]|[a-z0-9._~-]{1,254})(?::(?<port>[0-9]{1,5}))?$/i;
const MAX_PORT = 65_535;

/**
 * Reads an authority literally. A URL parser is too lenient here: it finds the host `localhost` in `evil@localhost`
 * and the host `127.0.0.1` in `127.1`, while the router of the request may have seen something else.
 */
export function parseAuthority(text: string): Authority | undefined {
  const { hostname, port } = AUTHORITY.exec(text)?.groups ?? {};
  if (hostname === undefined) return undefined;
  const canonical = canonicalHostname(hostname.toLowerCase());
  if (canonical === undefined) return undefined;
  if (port === undefined) return { hostname: canonical };
  return Number(port) <= MAX_PORT ? { hostname: canonical, port: Number(port) } : undefined;
}

// `localhost.` is the same name as `localhost`, written absolutely.
function canonicalHostname(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return shortestIpv6(hostname);
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return name === '' || name.startsWith('.') || name.endsWith('.') || name.includes('..') ? undefined : name;
}

function shortestIpv6(bracketed: string): string | undefined {
  try {
    return new URL(`http://${bracketed}`).hostname;
  } catch {
    return undefined;
  }
}

/** A host name of the configuration as it travels: names beyond ASCII in punycode, an optional port kept. */
export function toAsciiHostname(entry: string): string {
  if (/^[\x20-\x7e]*$/.test(entry)) return entry;
  const [, name = '', port = ''] = /^(.*?)(:[0-9]+)?$/.exec(entry) ?? [];
  return domainToASCII(name) + port;
}
