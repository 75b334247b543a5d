import type { RedisWay } from './redis-way.js';

/** A way and why it did not work. */
export interface ClosedWay {
  readonly way: Pick<RedisWay, 'name' | 'hint'>;
  readonly reason: string;
}

/** No Redis could be had. The message names every way to have one, and why each was closed. */
export class NoRedisError extends Error {
  override readonly name = 'NoRedisError';

  constructor(readonly closed: readonly ClosedWay[]) {
    super(`These tests need a Redis. ${waysToHaveOne(closed)}`);
  }
}

/** Explains how to get a Redis: a sentence, and a line for each way. */
export function waysToHaveOne(closed: readonly ClosedWay[]): string {
  const lines = closed.map(({ way, reason }) => `  - ${way.hint} (${way.name}: ${reason})`);
  return ['To have one, do one of these:', ...lines].join('\n');
}
