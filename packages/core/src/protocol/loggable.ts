// Control characters of C0 and C1, the line separators of Unicode, and what turns the direction of text around.
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A client's text, made safe for a log line: characters that would begin a new line, or change the terminal or the
 * order of the text, are escaped (CWE-117), and everything beyond `max` characters is left out.
 */
export function loggable(text: string, max = 256): string {
  const shown = text.length > max ? `${text.slice(0, max)}…` : text;
  return shown.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
