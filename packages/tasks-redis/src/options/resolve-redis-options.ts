import type { McpValueResolver } from '@mocapi/core';
import { OptionReader, deriveKeys, type OptionNames } from '@mocapi/core/internal';
import type { RedisSource } from '../connection/redis-source.js';
import { RECORD_KEYS, type KeyRingCipherSettings } from '../encryption/key-ring-cipher.js';
import type { McpTasksRedisModuleOptions, RecordEncryptionOptions, RedisClusterSource } from './redis-module-options.js';
import { redisSourceOf, SourceError } from './read-source.js';

/** The options of the Redis module with defaults filled in, placeholders resolved, units converted and keys derived. */
export interface ResolvedRedisOptions {
  readonly source: RedisSource;
  readonly keyPrefix: string;
  readonly connectTimeoutMs: number;
  readonly commandTimeoutMs: number;
  readonly retryForMs: number;
  readonly maxRecordBytes: number;
  readonly allowUnlimitedTtl: boolean;
  readonly encryption: KeyRingCipherSettings | undefined;
  readonly onUnsafe: 'refuse' | 'warn';
}

const NAMES: OptionNames<McpTasksRedisModuleOptions> = {
  url: true,
  redis: true,
  cluster: true,
  client: true,
  keyPrefix: true,
  connectTimeout: true,
  commandTimeout: true,
  retryFor: true,
  maxRecordBytes: true,
  allowUnlimitedTtl: true,
  encryption: true,
  onUnsafe: true,
};
const CLUSTER_NAMES: OptionNames<RedisClusterSource> = { nodes: true, options: true };
const ENCRYPTION_NAMES: OptionNames<RecordEncryptionOptions> = { keys: true, acceptClear: true };

const DEFAULT_PREFIX = 'mocapi:tasks:';

/** Neither globs, which mean something in ACLs, nor braces, which would put a whole cluster's tasks on one of its nodes. */
const KEY_PREFIX = /^[A-Za-z0-9_\-:./]{1,128}$/;

/** Without the option, records would be in clear: that is no advice to somebody who wants them encrypted. */
const FIX_KEYS = "Write keys: [{ id: '2026-11', key: '${TASK_KEY}' }], a key being 32 random bytes in base64: openssl rand -base64 32.";

/**
 * @param given undefined where a factory has returned nothing
 * @throws McpDefinitionsError listing every option that is wrong
 */
export function resolveRedisOptions(given: McpTasksRedisModuleOptions | undefined, resolver: McpValueResolver): ResolvedRedisOptions {
  const options = given ?? {};
  const check = new RedisOptionReader(resolver);
  check.known(options, NAMES);
  check.known(options.cluster, CLUSTER_NAMES, 'cluster');
  check.known(options.encryption, ENCRYPTION_NAMES, 'encryption');
  const resolved = {
    source: check.source(options),
    keyPrefix: check.keyPrefix(options.keyPrefix ?? DEFAULT_PREFIX),
    connectTimeoutMs: check.duration('connectTimeout', options.connectTimeout ?? 'PT10S'),
    commandTimeoutMs: check.duration('commandTimeout', options.commandTimeout ?? 'PT2S'),
    retryForMs: check.duration('retryFor', options.retryFor ?? 'PT5S'),
    maxRecordBytes: check.count('maxRecordBytes', options.maxRecordBytes ?? 4 * 1024 * 1024),
    allowUnlimitedTtl: options.allowUnlimitedTtl ?? false,
    encryption: options.encryption && check.encryption(options.encryption),
    onUnsafe: check.oneOf('onUnsafe', options.onUnsafe ?? 'refuse', ['refuse', 'warn']),
  };
  check.assertSound();
  return resolved as ResolvedRedisOptions;
}

/** The checks that only options of this module need. What is wrong returns undefined, and is never used. */
class RedisOptionReader extends OptionReader {
  constructor(private readonly values: McpValueResolver) {
    super(values, { at: (option, problem) => ({ where: `McpTasksRedisModule ${option}`, problem }) });
  }

  source(options: McpTasksRedisModuleOptions): RedisSource | undefined {
    try {
      return redisSourceOf(options, this.values);
    } catch (error) {
      if (error instanceof SourceError) this.fault(error.fault.option, error.fault.problem, error.fault.fix);
      else this.fault('url', error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  keyPrefix(value: string): string {
    const prefix = this.attempt('keyPrefix', () => this.resolved(value), { fallback: DEFAULT_PREFIX });
    if (!KEY_PREFIX.test(prefix)) this.fault('keyPrefix', `"${prefix}" is not 1 to 128 of A-Z a-z 0-9 _ - : . /`);
    return prefix;
  }

  encryption(given: RecordEncryptionOptions): KeyRingCipherSettings | undefined {
    return this.attempt('encryption.keys', () => cipherSettingsOf(given, (value) => this.resolved(value)), {
      fallback: undefined,
      fix: FIX_KEYS,
    });
  }
}

function cipherSettingsOf(
  { keys, acceptClear = false }: RecordEncryptionOptions,
  text: <T>(value: T) => T | string,
): KeyRingCipherSettings {
  const ring = (keys ?? []).map(({ id, key }) => ({ id: text(id), key: text(key) }));
  return { keys: deriveKeys(ring, RECORD_KEYS), acceptClear };
}
