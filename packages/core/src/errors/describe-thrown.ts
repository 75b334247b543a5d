import { loggable } from '../protocol/loggable.js';

const MAX_CAUSES = 8;

/** Characters of one message in a log. */
const MAX_MESSAGE = 4096;

/** The thrown value as text for a log: stack and causes. Survives cyclic causes and values whose every property throws. */
export function describeThrown(thrown: unknown): string {
  const seen = new Set<unknown>([thrown]);
  const parts = [describeOne(thrown)];
  for (let cause = readCause(thrown); cause !== undefined && !seen.has(cause) && parts.length <= MAX_CAUSES; cause = readCause(cause)) {
    seen.add(cause);
    parts.push(describeOne(cause));
  }
  return parts.join('\ncaused by: ');
}

/** A text that a thrown value carries; undefined when it has none, or throws when it is read. */
export function readText(thrown: unknown, key: 'message' | 'stack'): string | undefined {
  const value = readProperty(thrown, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The cause of a thrown value. */
export function readCause(thrown: unknown): unknown {
  return readProperty(thrown, 'cause');
}

function describeOne(thrown: unknown): string {
  const message = readText(thrown, 'message');
  const stack = readText(thrown, 'stack');
  // The lines of a stack are ours; a message may hold what a client has sent.
  if (stack !== undefined) return message === undefined ? stack : stack.replace(message, () => loggable(message, MAX_MESSAGE));
  if (message !== undefined) return loggable(message, MAX_MESSAGE);
  try {
    return loggable(String(thrown), MAX_MESSAGE);
  } catch {
    return 'a thrown value that cannot be read';
  }
}

function readProperty(thrown: unknown, key: string): unknown {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  try {
    return (thrown as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
