import { isIPv6 } from 'node:net';

/**
 * The address of a request's sender, as Fastify reports it (behind a proxy: by its `trustProxy`). One subscriber has a
 * whole /64 of IPv6 addresses, which count as one. All requests without an address share one key.
 */
export function callerAddress(request: object): string {
  const { ip } = request as { readonly ip?: unknown };
  if (typeof ip !== 'string') return '';
  return isIPv6(ip) && !ip.includes('.') ? networkOf(ip) : ip;
}

// The first four groups; `::` stands for as many zeros as are missing.
function networkOf(ip: string): string {
  const [head = '', tail] = ip.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
