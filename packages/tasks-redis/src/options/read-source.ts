import type { McpValueResolver } from '@mocapi/core';
import type { ClusterOptions, RedisOptions } from 'ioredis';
import type { RedisSource } from '../connection/redis-source.js';
import type { McpTasksRedisModuleOptions } from './redis-module-options.js';

/** The problem with an option, and the value to write instead. */
export interface SourceFault {
  readonly option: string;
  readonly problem: string;
  readonly fix: string;
}

/** The options of which one says where the Redis is. */
const SOURCES = ['url', 'redis', 'cluster', 'client'] as const;
const URL_EXAMPLE =
  "Write url: 'redis://user:password@host:6379/0', with characters of user and password percent-encoded where a URL needs it.";

/** The one source that is given. @throws SourceError if it is none or several, or can't be used */
export function redisSourceOf(given: McpTasksRedisModuleOptions, resolver: McpValueResolver): RedisSource {
  const named = SOURCES.filter((name) => given[name] !== undefined);
  if (named.length !== 1) {
    throw new SourceError({
      option: SOURCES.join(', '),
      problem: named.length === 0 ? 'the address of the Redis is missing' : `${named.join(' and ')} are set, but only one of them may be`,
      fix: "Write one of them, such as url: '${REDIS_URL}'.",
    });
  }
  const source = readSource(given, resolver);
  const fault = faultOf(source);
  if (fault) throw new SourceError(fault);
  return source;
}

/** A source that can't be used. */
export class SourceError extends Error {
  override readonly name = 'SourceError';

  constructor(readonly fault: SourceFault) {
    super(fault.problem);
  }
}

function readSource({ url, redis, cluster, client }: McpTasksRedisModuleOptions, resolver: McpValueResolver): RedisSource {
  const text = (option: string, value: string): string => {
    try {
      return resolver.resolve(value);
    } catch (error) {
      throw new SourceError({ option, problem: (error as Error).message, fix: `Correct the option "${option}".` });
    }
  };
  const texts = <T extends object>(option: string, value: T): T =>
    Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, typeof member === 'string' ? text(option, member) : member]),
    ) as T;
  if (client !== undefined) return { kind: 'client', client };
  if (redis !== undefined) return { kind: 'server', options: texts('redis', redis) };
  if (cluster === undefined) return { kind: 'url', url: text('url', String(url)) };
  const nodes = (cluster.nodes ?? []).map((node) => {
    if (typeof node === 'object') return texts('cluster.nodes', node);
    return typeof node === 'string' ? text('cluster.nodes', node) : node;
  });
  const { redisOptions, ...options } = cluster.options ?? {};
  return { kind: 'cluster', nodes, options: redisOptions ? { ...options, redisOptions: texts('cluster.options', redisOptions) } : options };
}

function faultOf(source: RedisSource): SourceFault | undefined {
  switch (source.kind) {
    case 'url':
      return urlFault(source.url);
    case 'server':
      return prefixFault('redis', source.options) ?? replicaFault('redis', source.options);
    case 'cluster':
      if (source.nodes.length === 0)
        return { option: 'cluster', problem: 'it lists no nodes', fix: "Write cluster: { nodes: [{ host: '…', port: 6379 }] }." };
      return prefixFault('cluster.options', source.options) ?? replicaFault('cluster.options', source.options);
    case 'client':
      // Not by instanceof: the application may have a copy of ioredis of its own.
      if (typeof source.client?.duplicate !== 'function')
        return {
          option: 'client',
          problem: 'it is not a client of ioredis',
          fix: 'Pass a Redis or a Cluster of ioredis, or set url for another kind of client.',
        };
      return prefixFault('client', source.client.options) ?? replicaFault('client', source.client.options);
  }
}

/** Reveals nothing of the URL: it may contain a password, wherever it was mistyped. */
function urlFault(url: string): SourceFault | undefined {
  const fault = (problem: string): SourceFault => ({ option: 'url', problem, fix: URL_EXAMPLE });
  if (!/^rediss?:\/\//.test(url)) return fault('it does not begin with redis:// or rediss://');
  if (!URL.canParse(url)) return fault('it is not a URL');
  const { hostname, pathname, searchParams } = new URL(url);
  if (hostname === '') return fault('it has no host');
  if (!/^\/?$|^\/\d+$/.test(pathname)) return fault('its path is not the number of a database');
  if ([...searchParams.keys()].some((key) => key !== 'family'))
    return {
      option: 'url',
      problem: 'it has options after the question mark',
      fix: 'Set options of ioredis with redis: { host, port, … } instead of url.',
    };
  return undefined;
}

/** ioredis adds its own prefix to keys, but not to channels: announcements would not be heard. */
function prefixFault(option: string, options: RedisOptions | ClusterOptions): SourceFault | undefined {
  const prefix = options.keyPrefix || ('redisOptions' in options && options.redisOptions?.keyPrefix);
  if (!prefix) return undefined;
  const fix = option === 'client' ? 'Pass a client without keyPrefix, and set keyPrefix beside it.' : 'Set keyPrefix beside it, not in it.';
  return { option, problem: 'it has its own keyPrefix, which does not apply to channels', fix };
}

function replicaFault(option: string, options: RedisOptions | ClusterOptions): SourceFault | undefined {
  const { readOnly, role } = options as RedisOptions;
  const { scaleReads = 'master' } = options as ClusterOptions;
  if (!readOnly && role !== 'slave' && scaleReads === 'master') return undefined;
  return {
    option,
    problem: 'it reads from replicas, which lag behind',
    fix: 'Leave out readOnly, role and scaleReads: tasks must be read where they are written.',
  };
}
