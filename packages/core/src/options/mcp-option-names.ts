import type {
  McpCacheOptions,
  McpLimits,
  McpModuleOptions,
  McpRate,
  McpRateLimitOptions,
  McpShutdownOptions,
  RequestStateOptions,
} from '../mcp-module-options.js';
import type { OptionNames } from '../errors/unknown-options.js';
import type { OptionReader } from './option-reader.js';

const MODULE: OptionNames<McpModuleOptions> = {
  name: true,
  version: true,
  title: true,
  instructions: true,
  path: true,
  endpointVersion: true,
  allowedHosts: true,
  allowedOrigins: true,
  guards: true,
  exposed: true,
  limits: true,
  rateLimit: true,
  shutdown: true,
  legacy: true,
  requestState: true,
  pageSize: true,
  cache: true,
  advertise: true,
  responseHeaders: true,
  forbiddenCode: true,
  logging: true,
  exposeErrorMessages: true,
  serverInfo: true,
};

const LIMITS: OptionNames<McpLimits> = {
  maxBodyBytes: true,
  maxJsonDepth: true,
  maxJsonObjects: true,
  heartbeatMs: true,
  maxUriLength: true,
  maxListensPerPrincipal: true,
  maxListens: true,
  maxWatched: true,
};

const RATE_LIMIT: OptionNames<McpRateLimitOptions> = {
  calls: true,
  completions: true,
  listens: true,
  notifications: true,
  keyOf: true,
  maxCallers: true,
};

const RATE: OptionNames<McpRate> = { perSecond: true, burst: true };
const SHUTDOWN: OptionNames<McpShutdownOptions> = { notice: true, drain: true };
const CACHE: OptionNames<McpCacheOptions> = { listTtl: true, readTtl: true, scope: true };
const REQUEST_STATE: OptionNames<RequestStateOptions> = { keys: true, ttl: true, maxLength: true };

/** Reports every name in the options of `McpModule`, those inside of others included, that no option has. */
export function checkMcpOptionNames(options: McpModuleOptions, check: OptionReader): void {
  check.known(options, MODULE);
  check.known(options.limits, LIMITS, 'limits');
  check.known(options.rateLimit, RATE_LIMIT, 'rateLimit');
  for (const kind of ['calls', 'completions', 'listens', 'notifications'] as const)
    check.known(options.rateLimit?.[kind] || undefined, RATE, `rateLimit.${kind}`);
  check.known(options.shutdown, SHUTDOWN, 'shutdown');
  check.known(options.cache, CACHE, 'cache');
  check.known(options.requestState, REQUEST_STATE, 'requestState');
}
