import { DefinitionError } from '../../errors/definition-fault.js';
import { localhostAllowedHostnames } from '../../protocol/official.js';
import { toAsciiHostname, parseAuthority } from './authority.js';

/** An origin taken apart (RFC 6454 §6.2): scheme and host, and the port even where the scheme implies it. */
interface Origin {
  readonly scheme: string;
  readonly hostname: string;
  readonly port?: number;
}

const SERIALIZED_ORIGIN = /^(?<scheme>[a-z][a-z0-9+.-]*):\/\/(?<authority>[^/?#]+)$/i;
const IMPLIED_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/**
 * Tells whether an `Origin` value may use the endpoint (MCP transports "Security warning"). Only for a header that is there; `null`, the
 * origin of sandboxed frames and local files, never may.
 *
 * @param entries each a host name, for any scheme and port, or an exact `scheme://host[:port]`. Undefined means the loopback names
 * @throws DefinitionError when an entry is neither
 */
export function compileAllowedOrigins(entries: readonly string[] | undefined): (origin: string) => boolean {
  const admits = (entries ?? localhostAllowedHostnames()).map(compileEntry);
  return (value) => {
    const origin = parseOrigin(value);
    return origin !== undefined && admits.some((admit) => admit(origin));
  };
}

function compileEntry(entry: string): (origin: Origin) => boolean {
  if (!entry.includes('://')) return compileHostname(entry);
  const exact = parseOrigin(asciiOrigin(entry));
  if (exact === undefined) throw notAnOrigin(entry);
  return ({ scheme, hostname, port }) => scheme === exact.scheme && hostname === exact.hostname && port === exact.port;
}

function compileHostname(entry: string): (origin: Origin) => boolean {
  const authority = parseAuthority(toAsciiHostname(entry));
  if (authority === undefined || authority.port !== undefined) throw notAnOrigin(entry);
  return ({ hostname }) => hostname === authority.hostname;
}

function asciiOrigin(entry: string): string {
  const start = entry.indexOf('://') + '://'.length;
  return entry.slice(0, start) + toAsciiHostname(entry.slice(start));
}

function parseOrigin(value: string): Origin | undefined {
  const { scheme, authority } = SERIALIZED_ORIGIN.exec(value)?.groups ?? {};
  if (scheme === undefined || authority === undefined) return undefined;
  const parsed = parseAuthority(authority);
  if (parsed === undefined) return undefined;
  const lowerCase = scheme.toLowerCase();
  return { scheme: lowerCase, hostname: parsed.hostname, port: parsed.port ?? IMPLIED_PORTS[lowerCase] };
}

function notAnOrigin(entry: string): DefinitionError {
  return new DefinitionError({
    where: 'allowedOrigins',
    problem: `"${entry}" is neither a host name nor an origin.`,
    fix: `Write a host name for any scheme and port, or an exact origin: allowedOrigins: ['localhost', 'https://app.example.com'].`,
  });
}
