import * as classValidator from 'class-validator';
import { isSimplePattern } from '../slow-patterns.js';
import type { Rule } from './class-facts.js';

/** The names of class-validator's own rules, such as `isEmail`. They are linear, or quadratic at worst, so that only a long text is slow. */
const BUILT_IN = new Set(Object.values(classValidator).filter((value): value is string => typeof value === 'string'));

/**
 * Returns whether a rule may block the process on a short string: a pattern that may backtrack, whatever its flags, or
 * a rule of the application's own, which may contain such a pattern.
 */
export function maybeSlow({ kind, name, args }: Rule): boolean {
  if (kind !== 'check') return false;
  if (name === undefined || !BUILT_IN.has(name)) return true;
  if (name !== classValidator.MATCHES) return false;
  const [pattern] = args;
  return !isSimplePattern(pattern instanceof RegExp ? pattern.source : String(pattern));
}
