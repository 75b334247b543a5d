import * as classValidator from 'class-validator';
import { STRING_RULES } from '../../src/schema/dto/string-rules.js';
import { ARRAY_RULES, VALUE_RULES } from '../../src/schema/dto/value-rules.js';

/** Not a check of the value. */
const STRUCTURE = ['isOptional'];

describe('class-validator', () => {
  // Each decorator exports its name as a constant: IS_INT = 'isInt'.
  const names = Object.entries(classValidator)
    .filter(([key, value]) => /^[A-Z][A-Z0-9_]*$/.test(key) && typeof value === 'string')
    .map(([, value]) => value as unknown as string);

  test('has its decorators found', () => {
    expect(names.length).toBeGreaterThan(90);
    expect(names).toEqual(expect.arrayContaining(['isInt', 'matches', 'arrayUnique']));
  });

  test.each(names)('has a known meaning of "%s"', (name) => {
    const stated = Object.hasOwn(STRING_RULES, name) || Object.hasOwn(VALUE_RULES, name) || Object.hasOwn(ARRAY_RULES, name);
    expect(stated || STRUCTURE.includes(name)).toBe(true);
  });

  test('has no name that is kept here in vain', () => {
    const known = [...Object.keys(STRING_RULES), ...Object.keys(VALUE_RULES), ...Object.keys(ARRAY_RULES), ...STRUCTURE];
    expect(known.filter((name) => !names.includes(name))).toEqual([]);
  });
});
