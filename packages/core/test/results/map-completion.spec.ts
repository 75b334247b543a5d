import { mapCompletion } from '../../src/results/map-completion.js';

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

describe('a completion', () => {
  it('of few values is all of them', () => {
    expect(mapCompletion(['a', 'b'], 'X.y')).toEqual({
      resultType: 'complete',
      completion: { values: ['a', 'b'], total: 2, hasMore: false },
    });
  });

  it('of more than 100 is the first 100, with the true total', () => {
    expect(mapCompletion(names(250), 'X.y').completion).toEqual({ values: names(100), total: 250, hasMore: true });
    expect(mapCompletion(names(100), 'X.y').completion).toMatchObject({ total: 100, hasMore: false });
  });

  it.each([
    [
      { values: ['a'], total: 9 },
      { values: ['a'], total: 9, hasMore: true },
    ],
    [
      { values: ['a'], hasMore: true },
      { values: ['a'], hasMore: true },
    ],
    [
      { values: ['a'], total: 1, hasMore: false },
      { values: ['a'], total: 1, hasMore: false },
    ],
    [
      { values: names(101), total: 500 },
      { values: names(100), total: 500, hasMore: true },
    ],
  ])('says what its author knows of the rest', (value, completion) => {
    expect(mapCompletion(value, 'X.y').completion).toEqual(completion);
  });

  it.each([undefined, null, 'a', [1], { values: 'a' }])('that is none is an error that names where: %j', (value) => {
    expect(() => mapCompletion(value as never, 'X.y')).toThrow(/X\.y/);
  });
});
