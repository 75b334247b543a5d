import { Logger } from '@nestjs/common';
import type { JsonObject, JsonValue } from '../protocol/json.js';
import { computeWithin, OutOfTime } from './run-within.js';
import { walkSchema } from './schema-walk.js';
import type { SchemaPlace } from './schema-walk.js';

const logger = new Logger('McpSchema');

/** How long the texts below may take, all together; with a pattern that does not backtrack it is one or two milliseconds. */
const PROBE_MS = 25;
const SHORT_PROBE = 32;
const LONG_PROBE = 20_000;

/**
 * Whether a pattern needs no watch: at most one thing in it repeats, and if one does, the pattern begins at `^`. So a text is tried from one
 * place only, or for a fixed length only.
 */
export function isSimplePattern(pattern: string): boolean {
  const atoms = pattern.replaceAll(
    /\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|[^])|\[(?:\\[^]|[^\]\\])*\]/g,
    'x',
  );
  // A number after the backslash repeats a group, and is only there if a group is.
  const repeats = atoms.match(/[*+?]|\{\d+(?:,\d*)?\}/g)?.length ?? 0;
  return !/[()|]/.test(atoms) && (repeats === 0 || (repeats === 1 && atoms.startsWith('^')));
}

/** Whether a pattern of this schema may backtrack, so that a short text can take for ever, or texts of a client are compiled as patterns. */
export function hasSlowPattern(json: JsonObject): boolean {
  for (const { schema } of walkSchema(json)) {
    if (schema['format'] === 'regex') return true;
    if (patternsOf(schema).some((pattern) => !isSimplePattern(pattern))) return true;
  }
  return false;
}

/**
 * Warns of each pattern that is slow on a string made of its own letters. It can't find every slow pattern: the check
 * itself is watched too.
 */
export function warnOfSlowPatterns(json: JsonObject, where: string): void {
  for (const place of walkSchema(json)) {
    for (const pattern of patternsOf(place.schema)) {
      const text = isSimplePattern(pattern) ? undefined : findSlowText(pattern, place.schema['maxLength']);
      if (text !== undefined) warn(pattern, text, { place, where });
    }
  }
}

function patternsOf(schema: JsonObject): string[] {
  const keyed = typeof schema['patternProperties'] === 'object' ? Object.keys(schema['patternProperties'] ?? {}) : [];
  return typeof schema['pattern'] === 'string' ? [schema['pattern'], ...keyed] : keyed;
}

function findSlowText(pattern: string, maxLength: JsonValue | undefined): string | undefined {
  const expression = new RegExp(pattern, 'u');
  const longest = Math.min(LONG_PROBE, typeof maxLength === 'number' ? maxLength : LONG_PROBE);
  let text = '';
  try {
    computeWithin(PROBE_MS, () => {
      for (text of probes(pattern, longest)) expression.test(text);
    });
    return undefined;
  } catch (error) {
    if (error instanceof OutOfTime) return text;
    throw error;
  }
}

/** One letter many times, then one that nothing expects: what makes a pattern go back over all the ways in which it could have read the text. */
function* probes(pattern: string, longest: number): Generator<string> {
  const letters = new Set(['a', 'A', '0', ' ', ...(pattern.replaceAll(/\\[^]/g, '').match(/[^$^()[\]{}|*+?]/gu) ?? [])]);
  for (const length of [SHORT_PROBE, longest]) {
    for (const letter of [...letters].slice(0, 40)) yield `${letter.repeat(Math.max(0, Math.min(length, longest) - 1))}\0`;
  }
}

function warn(pattern: string, text: string, { place, where }: { readonly place: SchemaPlace; readonly where: string }): void {
  logger.warn(
    `${where}: the pattern ${JSON.stringify(pattern)} at #${place.pointer} backtracks: ${text.length - 1} times ${JSON.stringify(text.slice(0, 1))} and then ` +
      `something else takes it more than ${PROBE_MS} ms. Such arguments are rejected when the check runs out of time; until then no other ` +
      `request is served. Write the pattern so that a string can match in one way only (begin with ^, no repetition inside a repetition), or limit "maxLength".`,
  );
}
