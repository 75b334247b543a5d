import { sha256 } from '../store/sha256.js';

/** Characters of the digest of an address. */
const ORIGIN_LENGTH = 22;

/**
 * A digest of the address that a request came from, so that records hold no address; undefined for a request without one, such as one over stdio. An IPv6
 * address counts by its network (/64), which one client has to itself.
 */
export function originOf(request: object): string | undefined {
  const { ip } = request as { readonly ip?: unknown };
  if (typeof ip !== 'string' || ip === '') return undefined;
  const network = ip.includes(':') && !ip.includes('.') ? networkOf(ip) : ip;
  return sha256(`mcp-origin/1 ${network}`).slice(0, ORIGIN_LENGTH);
}

/** The first four groups of an IPv6 address. */
function networkOf(ip: string): string {
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array.from({ length: missing }, () => '0')].slice(0, 4).join(':');
}
