import { defined } from '../protocol/json.js';
import type { CanActivate, Type } from '@nestjs/common';
import { callerAddress, type CallerRateSettings } from '../envelope/caller-rates.js';
import type { Rate } from '../envelope/token-buckets.js';
import { isReserved } from '../errors/normal-error.js';
import type { McpLimits, McpModuleOptions, McpRate, McpRateLimitOptions, RequestStateOptions } from '../mcp-module-options.js';
import { JSON_BOUNDS } from '../protocol/json.js';
import type { Implementation } from '../protocol/official.js';
import { isReservedHeader } from '../protocol/vocabulary.js';
import { deriveKeys, type KeyRing } from '../replay/key-ring.js';
import { ROOT_ENDPOINT } from '../seams/endpoint.js';
import type { McpValueResolver } from '../seams/value-resolver.js';
import { checkMcpOptionNames } from './mcp-option-names.js';
import { OptionReader } from './option-reader.js';

/** The options of the module with defaults filled in, placeholders resolved and units converted; frozen. Nothing downstream sees others. */
export abstract class ResolvedMcpOptions {
  /** The endpoint's name among those of the application. */
  abstract readonly endpoint: string;
  abstract readonly serverInfo: Implementation;
  abstract readonly emitServerInfo: boolean;
  abstract readonly instructions: string | undefined;
  abstract readonly path: string;
  abstract readonly endpointVersion: string | undefined;
  abstract readonly allowedHosts: readonly string[] | undefined;
  abstract readonly allowedOrigins: readonly string[] | undefined;
  abstract readonly legacy: 'stateless' | 'reject';
  abstract readonly guards: readonly (CanActivate | Type<CanActivate>)[];
  abstract readonly exposed: 'on-purpose' | undefined;
  abstract readonly limits: Required<McpLimits>;
  abstract readonly rateLimit: CallerRateSettings & { readonly notifications: Rate | undefined };
  abstract readonly shutdown: { readonly noticeMs: number; readonly drainMs: number };
  abstract readonly requestState: { readonly keys: KeyRing | undefined; readonly ttlMs: number; readonly maxLength: number };
  abstract readonly pageSize: number;
  abstract readonly cache: { readonly listTtlMs: number; readonly readTtlMs: number; readonly scope: 'public' | 'private' };
  abstract readonly advertise: NonNullable<McpModuleOptions['advertise']>;
  abstract readonly responseHeaders: readonly string[];
  abstract readonly forbiddenCode: number | undefined;
  abstract readonly logging: boolean;
  abstract readonly exposeErrorMessages: boolean;
}

/** @throws McpDefinitionsError listing every option that is wrong */
export function resolveMcpOptions(options: McpModuleOptions, resolver: McpValueResolver, endpoint = ROOT_ENDPOINT): ResolvedMcpOptions {
  const check = new McpOptionReader(resolver);
  checkMcpOptionNames(options, check);
  const resolved: ResolvedMcpOptions = {
    endpoint,
    serverInfo: serverInfo(options, check),
    emitServerInfo: options.serverInfo ?? true,
    instructions: options.instructions === undefined ? undefined : check.text('instructions', options.instructions),
    path: check.path(options.path ?? '/mcp'),
    endpointVersion: options.endpointVersion === undefined ? undefined : check.text('endpointVersion', options.endpointVersion),
    allowedHosts: options.allowedHosts?.map((host) => check.text('allowedHosts', host)),
    allowedOrigins: options.allowedOrigins?.map((origin) => check.text('allowedOrigins', origin)),
    legacy: check.oneOf('legacy', options.legacy ?? 'stateless', ['stateless', 'reject']),
    guards: options.guards ?? [],
    exposed: options.exposed === undefined ? undefined : check.oneOf<'on-purpose'>('exposed', options.exposed, ['on-purpose']),
    limits: limitsOf(options.limits ?? {}, check),
    rateLimit: rateLimitOf(options.rateLimit, check),
    shutdown: {
      noticeMs: check.ttl('shutdown.notice', options.shutdown?.notice ?? 'PT0.5S'),
      drainMs: check.ttl('shutdown.drain', options.shutdown?.drain ?? 'PT2S'),
    },
    requestState: requestStateOf(options.requestState ?? {}, check),
    pageSize: check.count('pageSize', options.pageSize ?? 50),
    cache: {
      listTtlMs: check.ttl('cache.listTtl', options.cache?.listTtl ?? 0),
      readTtlMs: check.ttl('cache.readTtl', options.cache?.readTtl ?? 0),
      scope: check.oneOf('cache.scope', options.cache?.scope ?? 'private', ['public', 'private']),
    },
    advertise: (options.advertise ?? []).map((kind) => check.oneOf('advertise', kind, ['prompts', 'resources', 'completions'])),
    responseHeaders: (options.responseHeaders ?? []).map((name) => check.header('responseHeaders', name)),
    forbiddenCode: options.forbiddenCode === undefined ? undefined : check.ownCode('forbiddenCode', options.forbiddenCode),
    logging: options.logging ?? false,
    exposeErrorMessages: options.exposeErrorMessages ?? false,
  };
  check.assertSound();
  return Object.freeze(resolved);
}

function limitsOf(limits: McpLimits, check: McpOptionReader): Required<McpLimits> {
  return {
    maxBodyBytes: check.count('limits.maxBodyBytes', limits.maxBodyBytes ?? 4 * 1024 * 1024),
    maxJsonDepth: check.count('limits.maxJsonDepth', limits.maxJsonDepth ?? JSON_BOUNDS.maxJsonDepth),
    maxJsonObjects: check.count('limits.maxJsonObjects', limits.maxJsonObjects ?? JSON_BOUNDS.maxJsonObjects),
    heartbeatMs: check.count('limits.heartbeatMs', limits.heartbeatMs ?? 15_000),
    maxUriLength: check.count('limits.maxUriLength', limits.maxUriLength ?? 2048),
    maxListensPerPrincipal: check.count('limits.maxListensPerPrincipal', limits.maxListensPerPrincipal ?? 32),
    maxListens: check.count('limits.maxListens', limits.maxListens ?? 1024),
    maxWatched: check.count('limits.maxWatched', limits.maxWatched ?? 1000),
  };
}

function requestStateOf({ keys, ttl, maxLength }: RequestStateOptions, check: McpOptionReader): ResolvedMcpOptions['requestState'] {
  return {
    keys: check.keys(keys),
    ttlMs: check.duration('requestState.ttl', ttl ?? 'PT10M'),
    maxLength: check.count('requestState.maxLength', maxLength ?? 65_536),
  };
}

// What holds unasked must hurt no honest client, and an address may stand for everybody behind a proxy: by default callers without a principal are free.
function rateLimitOf(given: McpRateLimitOptions | undefined, check: McpOptionReader): ResolvedMcpOptions['rateLimit'] {
  const rates = given ?? {};
  const rate = (name: string, value: McpRate | false): Rate | undefined => {
    if (value === false) return undefined;
    const burst = check.count(`rateLimit.${name}.burst`, value.burst, { fix: 'Write how many may come at once.' });
    return { perSecond: check.perSecond(`rateLimit.${name}.perSecond`, value.perSecond), burst };
  };
  return {
    calls: rate('calls', rates.calls ?? false),
    completions: rate('completions', rates.completions ?? { perSecond: 50, burst: 500 }),
    listens: rate('listens', rates.listens ?? { perSecond: 20, burst: 1000 }),
    notifications: rate('notifications', rates.notifications ?? { perSecond: 200, burst: 2000 }),
    keyOf: rates.keyOf ?? (given && callerAddress),
    maxCallers: check.count('rateLimit.maxCallers', rates.maxCallers ?? 10_000),
  };
}

function serverInfo(options: McpModuleOptions, check: McpOptionReader): Implementation {
  return {
    name: check.text('name', options.name),
    version: check.text('version', options.version),
    ...defined({ title: options.title === undefined ? undefined : check.text('title', options.title) }),
  };
}

/** The checks that only options of this module need. */
class McpOptionReader extends OptionReader {
  constructor(resolver: McpValueResolver) {
    super(resolver, { at: (option, problem) => ({ where: `McpModule ${option}`, problem }) });
  }

  path(value: string): string {
    const path = this.text('path', value);
    if (!path.startsWith('/')) this.fault('path', `"${path}" does not begin with a slash`, `Write path: '/${path}'.`);
    return path;
  }

  ownCode(option: string, value: number): number {
    if (!Number.isSafeInteger(value)) this.fault(option, `${value} is not a whole number`, `Write ${option}: 403.`);
    else if (isReserved(value))
      this.fault(option, `${value} is reserved for the protocol`, `Use a code outside of -32768 to -32000, such as 403.`);
    return value;
  }

  perSecond(option: string, value: number): number {
    if (!Number.isFinite(value) || value <= 0)
      this.fault(option, `${value} is not a number above zero`, `Write how many times per second.`);
    return value;
  }

  header(option: string, value: string): string {
    const name = this.text(option, value);
    if (!/^[\w!#$%&'+.^`|~-]+\*?$/.test(name))
      this.fault(option, `"${name}" is not a header name`, `Write names such as 'x-tenant', or 'x-tenant-*'.`);
    else if (isReservedHeader(name))
      this.fault(option, `"${name}" frames the answer or belongs to the protocol`, `Remove it from ${option}.`);
    return name;
  }

  keys(ring: KeyRing | undefined): KeyRing | undefined {
    return this.attempt('requestState.keys', () => (ring && deriveKeys(ring), ring), { fallback: undefined });
  }
}
