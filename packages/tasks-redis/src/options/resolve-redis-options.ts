import { McpDefinitionsError, type DefinitionFault, type DurationOption, type McpValueResolver } from '@mocapi/core';
import { deriveKeys, parseDuration } from '@mocapi/core/internal';
import type { RedisSource } from '../connection/redis-source.js';
import { RECORD_KEYS, type KeyRingCipherSettings } from '../encryption/key-ring-cipher.js';
import type { McpTasksRedisModuleOptions, RecordEncryptionOptions } from './redis-module-options.js';
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
  const faults: DefinitionFault[] = [];
  const check = checker(faults, resolver);
  const resolved = {
    source: check.source(options),
    keyPrefix: check.keyPrefix(options.keyPrefix ?? 'mocapi:tasks:'),
    connectTimeoutMs: check.duration('connectTimeout', options.connectTimeout ?? 'PT10S'),
    commandTimeoutMs: check.duration('commandTimeout', options.commandTimeout ?? 'PT2S'),
    retryForMs: check.duration('retryFor', options.retryFor ?? 'PT5S'),
    maxRecordBytes: check.positive('maxRecordBytes', options.maxRecordBytes ?? 4 * 1024 * 1024),
    allowUnlimitedTtl: options.allowUnlimitedTtl ?? false,
    encryption: options.encryption && check.encryption(options.encryption),
    onUnsafe: check.onUnsafe(options.onUnsafe ?? 'refuse'),
  };
  if (faults.length > 0) throw new McpDefinitionsError(faults);
  return resolved as ResolvedRedisOptions;
}

function checker(faults: DefinitionFault[], resolver: McpValueResolver) {
  const fault = (option: string, problem: string, fix = `Correct ${option}, or leave it out to use its default.`): void =>
    void faults.push({ where: `McpTasksRedisModule ${option}`, problem, fix });
  const attempt = <T>(option: string, read: () => T, fix?: string): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (error instanceof SourceError) fault(error.fault.option, error.fault.problem, error.fault.fix);
      else fault(option, (error as Error).message, fix);
      return undefined;
    }
  };
  const text = <T>(value: T): T | string => (typeof value === 'string' ? resolver.resolve(value) : value);
  return {
    source: (options: McpTasksRedisModuleOptions) => attempt('url', () => redisSourceOf(options, resolver)),
    keyPrefix: (value: string) =>
      attempt('keyPrefix', () => {
        const prefix = text(value);
        if (KEY_PREFIX.test(prefix)) return prefix;
        throw new Error(`"${prefix}" is not 1 to 128 of A-Z a-z 0-9 _ - : . /`);
      }),
    duration: (option: string, value: DurationOption) => attempt(option, () => parseDuration(text(value))),
    positive: (option: string, value: number) =>
      attempt(option, () => {
        if (Number.isSafeInteger(value) && value > 0) return value;
        throw new Error(`${value} is not a whole number above zero`);
      }),
    encryption: (given: RecordEncryptionOptions) => attempt('encryption.keys', () => cipherSettingsOf(given, text), FIX_KEYS),
    onUnsafe: (value: 'refuse' | 'warn') => {
      if (value !== 'refuse' && value !== 'warn') fault('onUnsafe', `"${String(value)}" is not known`, "Write 'refuse' or 'warn'.");
      return value;
    },
  };
}

function cipherSettingsOf(
  { keys, acceptClear = false }: RecordEncryptionOptions,
  text: <T>(value: T) => T | string,
): KeyRingCipherSettings {
  const ring = (keys ?? []).map(({ id, key }) => ({ id: text(id), key: text(key) }));
  return { keys: deriveKeys(ring, RECORD_KEYS), acceptClear };
}
