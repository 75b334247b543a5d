/** The JSON texts of values that never change, once they have been needed. */
const texts = new WeakMap<object, string | undefined>();

/**
 * Marks a value that never changes again and that is sent many times, such as a page of a list: its JSON text is made once and kept for as
 * long as the value lives.
 */
export function unchanging<T extends object>(value: T): T {
  texts.set(value, undefined);
  return value;
}

/** Whether the value was marked. */
export function isUnchanging(value: object): boolean {
  return texts.has(value);
}

/** The JSON text of a value that was marked. @throws TypeError when JSON cannot hold it */
export function unchangingText(value: object): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}
