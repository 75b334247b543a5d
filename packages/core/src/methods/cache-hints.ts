import type { ResourceCache } from '../discovery/handler-definition.js';
import type { McpResult } from '../protocol/messages.js';

/** How long and by whom results may be kept, as the module's options say (MCP server/utilities/caching). */
export interface CacheSettings {
  readonly listTtlMs: number;
  readonly readTtlMs: number;
  readonly scope: 'public' | 'private';
}

/** The hints of a cacheable result. */
export interface CacheHints {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** The hints of a list; what depends on who asks is private. */
export function listHints({ listTtlMs, scope }: CacheSettings, dependsOnCaller: boolean): CacheHints {
  return { ttlMs: listTtlMs, cacheScope: dependsOnCaller ? 'private' : scope };
}

/** The properties of a read on which its hints depend. */
export interface CachedRead {
  readonly settings: CacheSettings;
  readonly own: ResourceCache | undefined;
  readonly mayHide: boolean;
  /** Answers of a user go into the result. */
  readonly isAnswered: boolean;
}

/** The result of a read with its hints: the resource's own, else the module's. What answers of a user went into is never kept (MCP basic "Multi round-trip requests"). */
export function withReadHints(result: McpResult, { settings, own, mayHide, isAnswered }: CachedRead): McpResult {
  if (isAnswered) return { ...result, ttlMs: 0, cacheScope: 'private' };
  const { ttlMs, cacheScope } = result;
  const given = isTtl(ttlMs) ? ttlMs : (own?.ttlMs ?? settings.readTtlMs);
  const scope = isScope(cacheScope) ? cacheScope : (own?.scope ?? settings.scope);
  return { ...result, ttlMs: given, cacheScope: mayHide ? 'private' : scope };
}

function isTtl(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isScope(value: unknown): value is 'public' | 'private' {
  return value === 'public' || value === 'private';
}
