/**
 * Meaning of a failed command for its sender:
 * - `unsent`: it never left this process
 * - `lost`: it may have been carried out; the reply did not come
 * - `passing`: the server refused it in a state that passes; nothing was done
 * - `full`: the server is out of memory; nothing was done
 * - `refused`: the server refused it, and will again
 */
export type RedisFailure = 'unsent' | 'lost' | 'passing' | 'full' | 'refused';

// Not anchored: before Redis 7 what goes wrong within a script comes wrapped in a sentence about the script.
const FULL = /\bOOM command not allowed\b/;
const PASSING = /(?:^|[\s-])(?:READONLY|LOADING|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|MISCONF|MOVED|ASK) /;
const DEMOTED = /(?:^|[\s-])READONLY /;
const UNSENT = /enableOfflineQueue/;

/** Whether the server refused it because it has become a replica: the primary is another one now. */
export function isDemotion(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && DEMOTED.test(error.message);
}

/** Whether the server refused it because something of another type is stored under the key. */
export function isWrongType(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && error.message.startsWith('WRONGTYPE ');
}

/** Classifies an error of ioredis. */
export function failureOf(error: unknown): RedisFailure {
  if (!(error instanceof Error)) return 'lost';
  const { name, message } = error;
  if (name === 'ReplyError') return failureOfReply(message);
  // A fault in how the command was put together is no matter of the connection.
  if (error instanceof TypeError || error instanceof RangeError) return 'refused';
  return UNSENT.test(message) ? 'unsent' : 'lost';
}

function failureOfReply(message: string): RedisFailure {
  if (FULL.test(message)) return 'full';
  return PASSING.test(message) ? 'passing' : 'refused';
}
