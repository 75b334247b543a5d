import { loggable } from '../protocol/texts.js';

const MAX_CAUSES = 8;

/** Characters of one message in a log. */
const MAX_MESSAGE = 4096;

/** Characters above the frames of a stack: the message with its escapes, and the name of the error. */
const MAX_HEAD = 8 * MAX_MESSAGE;

/** Characters of one frame of a stack. */
const MAX_FRAME = 1024;

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

/** A text of a thrown value; undefined if it has none, or if reading it throws. */
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
  if (stack !== undefined)
    return loggableStack(message === undefined ? stack : stack.replace(message, () => loggable(message, MAX_MESSAGE)));
  if (message !== undefined) return loggable(message, MAX_MESSAGE);
  try {
    return loggable(String(thrown), MAX_MESSAGE);
  } catch {
    return 'a thrown value that cannot be read';
  }
}

/**
 * Returns the frames of a stack. Text above them may contain a client's data, also if the message was changed after
 * the stack was made.
 */
function loggableStack(stack: string): string {
  const lines = stack.split('\n');
  let frames = lines.length;
  while (frames > 0 && /^\s+at /.test(lines[frames - 1]!)) frames--;
  const head = loggable(lines.slice(0, frames).join('\n'), MAX_HEAD);
  return [head, ...lines.slice(frames).map((line) => loggable(line, MAX_FRAME))].join('\n');
}

function readProperty(thrown: unknown, key: string): unknown {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  try {
    return Reflect.get(thrown, key);
  } catch {
    return undefined;
  }
}

/**
 * Whether a value carries a brand of this package, whichever copy of the package made it. A value that throws when it
 * is touched, such as a Proxy of the author's, carries none: telling thrown values apart must not fail because of it.
 */
export function hasBrand(value: unknown, brand: symbol): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return Reflect.get(value, brand) === true;
  } catch {
    return false;
  }
}

/** `value instanceof type`, and false for a value that throws when it is asked for its prototype. */
export function isInstance<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

/** The message of an error; of anything else that was thrown, its text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
