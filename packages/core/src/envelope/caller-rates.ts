import { isJsonObject } from '../protocol/json.js';
import { McpLimitError } from '../errors/refusals.js';
import { Method } from '../protocol/vocabulary.js';
import type { McpPrincipal } from './principal.js';
import { TokenBuckets, type Rate } from './token-buckets.js';
import { isIPv6 } from 'node:net';

/** The rates of one caller; `undefined` means no limit. */
export interface CallerRateSettings {
  readonly calls: Rate | undefined;
  readonly completions: Rate | undefined;
  readonly listens: Rate | undefined;
  /** The key of a caller without a principal, or undefined for one that is not limited; without it none is. */
  readonly keyOf: ((request: object) => string | undefined) | undefined;
  readonly maxCallers: number;
}

const KINDS: ReadonlyMap<string, 'calls' | 'completions' | 'listens'> = new Map([
  [Method.CallTool, 'calls'],
  [Method.GetPrompt, 'calls'],
  [Method.ReadResource, 'calls'],
  [Method.Complete, 'completions'],
  [Method.Listen, 'listens'],
]);

/** Bounds how often one caller may call, complete and listen, on one node. Each request is counted once, however often its caller is settled. */
export class CallerRates {
  private readonly buckets: Readonly<Record<string, TokenBuckets | undefined>>;
  private readonly counted = new WeakSet<object>();

  constructor(
    private readonly settings: CallerRateSettings,
    now: () => number = () => performance.now(),
  ) {
    const { calls, completions, listens, maxCallers } = settings;
    const made = (rate: Rate | undefined): TokenBuckets | undefined => rate && new TokenBuckets(rate, maxCallers, now);
    this.buckets = { calls: made(calls), completions: made(completions), listens: made(listens) };
  }

  /** Whether callers without a principal are counted at all. */
  get countsAnonymous(): boolean {
    return this.settings.keyOf !== undefined;
  }

  /**
   * Counts a request, whose `body` is its message.
   * @throws McpError -32603 with `data.retryAfterMs` and HTTP status 429 if its caller has sent too many
   */
  count(request: object, principal: McpPrincipal | undefined): void {
    // A run without a request, such as a takeover, has no message and is not counted.
    const body = 'body' in request ? request.body : undefined;
    const kind = isJsonObject(body) && typeof body.method === 'string' ? KINDS.get(body.method) : undefined;
    const buckets = kind && this.buckets[kind];
    if (!buckets || this.counted.has(request)) return;
    const key = principal ? `principal ${principal.id}` : this.anonymous(request);
    if (key === undefined) return;
    this.counted.add(request);
    const retryAfterMs = buckets.take(key);
    if (retryAfterMs === 0) return;
    throw new McpLimitError('Too many requests: retry after data.retryAfterMs milliseconds', retryAfterMs);
  }

  private anonymous(request: object): string | undefined {
    const key = this.settings.keyOf?.(request);
    return key === undefined ? undefined : `anonymous ${key}`;
  }
}

/**
 * The address of a request's sender, as Fastify reports it (behind a proxy: by its `trustProxy`). One subscriber has a
 * whole /64 of IPv6 addresses, which count as one. All requests without an address share one key.
 */
export function callerAddress(request: object): string {
  const ip = 'ip' in request ? request.ip : undefined;
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
