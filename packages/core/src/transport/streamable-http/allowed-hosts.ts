import { DefinitionError } from '../../errors/definition-fault.js';
import { localhostAllowedHostnames } from '../../protocol/official.js';
import { parseAuthority, type Authority, toAsciiHostname } from './authority.js';

const DEFAULT_PORTS: ReadonlySet<number> = new Set([80, 443]);

/**
 * Decides whether the server answers to a `Host` value: the guard against DNS rebinding, where a page of another site
 * reaches a local server under a name of its own (MCP transports "Security warning").
 * @param entries names, each with or without a port; without one any port is meant. Undefined means the loopback names
 * @throws DefinitionError if an entry is not a host
 */
export function compileAllowedHosts(entries: readonly string[] | undefined): (host: string) => boolean {
  const allowed = (entries ?? localhostAllowedHostnames()).map(parseEntry);
  return (host) => {
    const authority = parseAuthority(host);
    return authority !== undefined && allowed.some((entry) => admits(entry, authority));
  };
}

// A client leaves out the default port of its scheme, and which that is a server behind a proxy cannot tell.
function admits(entry: Authority, { hostname, port }: Authority): boolean {
  if (entry.hostname !== hostname) return false;
  return entry.port === undefined || entry.port === port || (port === undefined && DEFAULT_PORTS.has(entry.port));
}

function parseEntry(entry: string): Authority {
  const authority = parseAuthority(toAsciiHostname(entry));
  if (authority !== undefined) return authority;
  throw new DefinitionError({
    where: 'allowedHosts',
    problem: `"${entry}" is not a host.`,
    fix: `Write a host name or address with an optional port: allowedHosts: ['mcp.example.com', '10.0.0.7:8080', '[::1]'].`,
  });
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Whether only this machine reaches an address. One that is not known is of no network: a Unix socket, or a request that was injected. */
export function isLoopback(address: string | undefined): boolean {
  return address === undefined || LOOPBACK.test(address);
}
