import type { ClusterNode, RedisOptions } from 'ioredis';
import type { RedisSource } from './redis-source.js';

/** Where a source leads, for messages: hosts and ports, never credentials. */
export function addressOf(source: RedisSource): string {
  switch (source.kind) {
    case 'url': {
      const { hostname, port } = new URL(source.url);
      return `${hostname}:${port || 6379}`;
    }
    case 'server':
      return addressOfServer(source.options);
    case 'cluster':
      return `the cluster at ${source.nodes.map(addressOfNode).join(', ')}`;
    case 'client':
      return source.client.isCluster ? 'the given cluster' : addressOfServer(source.client.options);
  }
}

/** Where the options of one server lead. */
export function addressOfServer({ sentinels, name, path, host = 'localhost', port = 6379 }: RedisOptions): string {
  if (sentinels) return `"${name}" of the sentinels at ${sentinels.map((one) => `${one.host}:${one.port ?? 26_379}`).join(', ')}`;
  return path ?? `${host}:${port}`;
}

function addressOfNode(node: ClusterNode): string {
  if (typeof node === 'object') return addressOfServer(node);
  if (typeof node === 'number' || /^\d+$/.test(node)) return `127.0.0.1:${node}`;
  // A node may be a URL, with a password in it.
  const text = node.includes('://') ? node : `redis://${node}`;
  return URL.canParse(text) ? new URL(text).host : 'a node';
}
