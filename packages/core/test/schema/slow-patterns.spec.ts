import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import type { JsonObject } from '../../src/protocol/json.js';
import { hasSlowPattern, isSimplePattern } from '../../src/schema/slow-patterns.js';
import type { SchemaSource } from '../../src/schema/schema-source.js';
import { input } from './support.js';

const text = (keywords: JsonObject): JsonObject => ({ type: 'object', properties: { word: { type: 'string', ...keywords } } });

function warningsOf(source: SchemaSource): string[] {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  try {
    input(source);
    return warn.mock.calls.map(([message]) => String(message));
  } finally {
    warn.mockRestore();
  }
}

describe('a pattern that backtracks is warned of at boot', () => {
  test.each([
    ['a repetition inside a repetition', '^(x+)+$'],
    ['two ways to read one letter', '^(x|x)*$'],
    ['a repetition of words', '^(\\w+\\s?)*$'],
    ['a repetition that begins anywhere', '[x-z]+\\d'],
    ['two repetitions that take the same letters', '^\\S+@\\S+\\.\\S+$'],
    ['a repetition that is looked ahead at', '^(?=(?:x+)+y)'],
  ])('%s', (_title, pattern) => {
    const [warning, ...others] = warningsOf(text({ pattern }));
    expect(others).toEqual([]);
    expect(warning).toContain('Tools.run: ');
    expect(warning).toContain(JSON.stringify(pattern));
    expect(warning).toContain('#/properties/word');
    expect(warning).toContain('maxLength');
  });

  test('of a property name too', () => {
    expect(warningsOf({ type: 'object', patternProperties: { '^(y+)+$': {} } })).toHaveLength(1);
  });

  test('but not if the text can never be long enough', () => {
    expect(warningsOf(text({ pattern: '^(?:z+)+$', maxLength: 10 }))).toEqual([]);
  });

  test.each([
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '^#[0-9a-f]{6}$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(?:[01]\\d|2[0-3]):[0-5]\\d$',
    '^(?=.*\\d)(?=.*[a-z]).{8,64}$',
    '^v?\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?$',
    '^(\\w+)-\\1$',
    'needle',
    '^.*$',
    '^$',
  ])('but not if it is as honest as %s', (pattern) => {
    expect(warningsOf(text({ pattern }))).toEqual([]);
  });

  test('and what zod generates is not', () => {
    const formats = { email: z.email(), uuid: z.uuid(), ip: z.ipv6(), cidr: z.cidrv6(), base64: z.base64(), moment: z.iso.datetime() };
    const more = {
      span: z.iso.duration(),
      emoji: z.emoji(),
      id: z.cuid2(),
      name: z.hostname(),
      text: z.string().includes('a').startsWith('b'),
    };
    expect(warningsOf(z.object({ ...formats, ...more }))).toEqual([]);
  });
});

describe('a schema', () => {
  test.each(['^[a-z]+$', '^\\p{L}*$', '^[\\]a-z]{2,5}$', 'needle', 'a\\+b', '^a$', '^\\u{1F600}+$', '^[(+*]+$'])(
    'needs no watch for the pattern %s',
    (pattern) => {
      expect(isSimplePattern(pattern)).toBe(true);
      expect(hasSlowPattern(text({ pattern }))).toBe(false);
    },
  );

  test.each(['a+', '^a+b+$', '^(a+)+$', '^(a|a)*$', '^a{1,2}b*', '^a?b?', '^a+|b', '[\\]]+', '^(a)\\1$'])(
    'needs a watch for the pattern %s',
    (pattern) => {
      expect(isSimplePattern(pattern)).toBe(false);
      expect(hasSlowPattern(text({ pattern }))).toBe(true);
    },
  );
});
