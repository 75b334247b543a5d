import { unknownOptions } from '../../src/errors/unknown-options.js';

const NAMES = { limits: true, maxBodyBytes: true, ttl: true } as const;

describe('names that no option has', () => {
  it.each([
    ['a letter that is missing', 'limts', 'Did you mean limits?'],
    ['letters that are swapped', 'tlt', 'Did you mean ttl?'],
    ['another case', 'maxbodybytes', 'Did you mean maxBodyBytes?'],
    ['several letters of a long name', 'maxBodBites', 'Did you mean maxBodyBytes?'],
    ['nothing alike', 'colour', 'Remove it, or write one of limits, maxBodyBytes, ttl.'],
    ['a member of every object', 'constructor', 'Remove it, or write one of limits, maxBodyBytes, ttl.'],
  ])('%s', (_what, name, fix) => {
    expect(unknownOptions({ ttl: 1, [name]: 1 }, NAMES)).toEqual([{ name, fix }]);
  });

  it('are none if the value is undefined, or the key a symbol', () => {
    expect(unknownOptions({ limts: undefined, [Symbol('own')]: 1 }, NAMES)).toEqual([]);
    expect(unknownOptions(undefined, NAMES)).toEqual([]);
  });
});
