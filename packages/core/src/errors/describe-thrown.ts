const MAX_CAUSES = 8;

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
  const text = readText(thrown, 'stack') ?? readText(thrown, 'message');
  if (text !== undefined) return text;
  try {
    return String(thrown);
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
