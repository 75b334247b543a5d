import type { RedisClient } from './redis-connection.js';

/** Errors that a retry does not fix: wrong credentials, missing permissions, a missing database, a certificate. */
const LASTING = /^(WRONGPASS|NOAUTH|NOPERM|ERR )|certificate/i;

/**
 * Resolves once the client is connected and its server has loaded its data.
 * @throws Error saying what the last attempt met with, after `timeoutMs` or as soon as it is something that lasts
 */
export function awaitReady(client: RedisClient, timeoutMs: number): Promise<void> {
  if (client.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    let met = 'no answer';
    const settle = (how: () => void) => {
      clearTimeout(timer);
      client.off('ready', onReady).off('end', onEnd).off('error', onError).off('node error', onError);
      how();
    };
    // The error itself holds the command that failed, password included: its message is all that goes on.
    const fail = () => settle(() => reject(new Error(met)));
    const onReady = () => settle(resolve);
    const onEnd = fail;
    const onError = (error: Error) => {
      met = tellingOf(met, reasonOf(error));
      if (LASTING.test(met)) fail();
    };
    const timer = setTimeout(fail, timeoutMs);
    client.on('ready', onReady).on('end', onEnd).on('error', onError).on('node error', onError);
    if (client.status === 'wait') client.connect().catch(() => undefined);
    if (client.status === 'end') fail();
  });
}

/** ioredis says this of a connection whose error it has already reported. */
const CLOSED = 'Connection is closed.';

function tellingOf(before: string, now: string): string {
  return now === CLOSED ? before : now;
}

/**
 * Describes the error in words. Some errors of a cluster only wrap that of a node, and a host with several addresses
 * meets with several.
 */
export function reasonOf(error: Error): string {
  const { lastNodeError } = error as { lastNodeError?: Error };
  if (lastNodeError) return reasonOf(lastNodeError);
  if (error instanceof AggregateError) return error.errors.map((one: Error) => reasonOf(one)).join(', ');
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
