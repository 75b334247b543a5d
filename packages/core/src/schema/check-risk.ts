import type { JsonObject } from '../protocol/json.js';
import { checksPerValue } from './check-cost.js';
import { hasSlowPattern } from './slow-patterns.js';

/** The unit is characters of the value's JSON text times subschemas per value: ajv takes about 25 ms for this much. */
const LIGHT_CHECK = 1_000_000;
/** A library that makes an object or an issue of each step takes about as long for this much. */
const LIGHT_REREAD = 50_000;
const LARGE = 100;

/** How long checking a value against one schema may take. */
export interface CheckRisk {
  /** Whether a check by ajv of a value of `size` characters may hold the process up, so that the watchdog must run beside it. */
  check(size: number): boolean;
  /** The same for a library that reads the checked value again, such as zod. */
  reread(size: number): boolean;
  /** Whether the compiled check is so large that its first run, which reads its code, must not count as the time of a value. */
  readonly isLarge: boolean;
}

/** Judges a schema once, at boot: by its patterns, and by how many subschemas one value may have to be checked against. */
export function checkRiskOf(json: JsonObject): CheckRisk {
  const checks = hasSlowPattern(json) ? Infinity : checksPerValue(json);
  return {
    // Without alternatives each part of the value is read once, however large it is.
    check: (size) => checks > 1 && size * checks > LIGHT_CHECK,
    reread: (size) => size * checks > LIGHT_REREAD,
    isLarge: checks > LARGE,
  };
}
