import { McpValueResolver } from '@mocapi/core';
import { OptionReader } from '../../src/options/option-reader.js';

const VALUES: Readonly<Record<string, string>> = { '${MS}': '2000', '${NONE}': '0', '${NAME}': 'shop' };

class Values extends McpValueResolver {
  resolve(text: string): string {
    const value = text.startsWith('$') ? VALUES[text] : text;
    if (value === undefined) throw new Error(`${text} has no value`);
    return value;
  }
}

const reader = (): OptionReader => new OptionReader(new Values(), { at: (option, problem) => ({ where: `Module ${option}`, problem }) });

describe('options that are right', () => {
  it('are returned with placeholders resolved and durations in milliseconds', () => {
    const read = reader();
    expect(read.text('name', '${NAME}')).toBe('shop');
    expect(read.count('size', 3)).toBe(3);
    expect(read.oneOf('mode', 'a', ['a', 'b'])).toBe('a');
    expect([read.duration('drain', 'PT2S'), read.duration('drain', '${MS}'), read.duration('drain', 5)]).toEqual([2000, 2000, 5]);
    expect([read.ttl('ttl', 0), read.ttl('ttl', '${NONE}'), read.ttl('ttl', '${MS}')]).toEqual([0, 0, 2000]);
    expect(() => read.assertSound()).not.toThrow();
  });
});

describe('options that are wrong', () => {
  it.each<[string, (read: OptionReader) => unknown, { problem: string; fix: string }]>([
    ['an empty text', (read) => read.text('x', ''), { problem: 'it must be a non-empty string', fix: "Write x: '…'." }],
    [
      'a placeholder without a value',
      (read) => read.text('x', '${GONE}'),
      { problem: '${GONE} has no value', fix: 'Correct the option "x".' },
    ],
    ['a count of zero', (read) => read.count('x', 0), { problem: '0 is not a whole number above zero', fix: 'leave it out' }],
    [
      'a count that is too low',
      (read) => read.count('x', -1, { least: 0 }),
      { problem: '-1 is not a whole number of at least 0', fix: 'leave it out' },
    ],
    ['another word', (read) => read.oneOf<string>('x', 'c', ['a', 'b']), { problem: '"c" is not known', fix: "Write one of 'a', 'b'." }],
    ['a duration of zero', (read) => read.duration('x', 0), { problem: '"0" is not longer than zero', fix: 'leave it out' }],
    ['a duration that is too short', (read) => read.duration('x', 5, 100), { problem: '5 ms is less than 100 ms', fix: 'leave it out' }],
    ['a time to keep that is none', (read) => read.ttl('x', 'soon'), { problem: '"soon" is not a duration', fix: 'leave it out' }],
  ])('%s', (_what, check, { problem, fix }) => {
    const read = reader();
    check(read);
    expect(read.faults).toEqual([{ where: 'Module x', problem: expect.stringContaining(problem), fix: expect.stringContaining(fix) }]);
  });

  it('are reported together', () => {
    const read = reader();
    read.count('size', 0);
    read.text('name', '');
    expect(() => read.assertSound()).toThrow(/2 mistakes[^]*Module size[^]*Module name/);
  });
});
