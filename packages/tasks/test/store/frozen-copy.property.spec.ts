import { assertJson } from '@mocapi/core/internal';
import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { frozenCopy } from '../../src/store/frozen-copy.js';
import { type Size, sizeOf, Tally } from '../../src/store/record-size.js';
import { SharedFacts } from '../../src/store/shared-facts.js';

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSparseArray: true,
  withNullPrototype: true,
  withObjectString: true,
});
/** Mostly what JSON holds, and more of it than `anything` makes. */
const value = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  {
    weight: 2,
    arbitrary: fc.dictionary(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'toJSON', 'constructor')),
      fc.jsonValue(),
    ),
  },
  { weight: 1, arbitrary: anything },
);

interface Outcome {
  readonly text?: string;
  readonly refusal?: string;
}

/** By the definition: checked, and through JSON and back. */
function byRoundTrip(given: unknown): Outcome {
  return outcomeOf(() => {
    assertJson(given, 'it');
    return JSON.parse(JSON.stringify(given)) as unknown;
  });
}

function outcomeOf(copy: () => unknown): Outcome {
  try {
    return { text: JSON.stringify(copy()) };
  } catch (error) {
    return { refusal: (error as Error).message };
  }
}

const isFrozen = (it: unknown): boolean =>
  typeof it !== 'object' || it === null || (Object.isFrozen(it) && Object.values(it).every(isFrozen));

describe('a frozen copy', () => {
  it('is what a round trip through JSON gives, frozen, and refuses the same with the same words', () => {
    fc.assert(
      fc.property(value, (given) => {
        let copy: unknown;
        const outcome = outcomeOf(() => (copy = frozenCopy(given, 'it', new Tally())));
        expect(outcome).toEqual(byRoundTrip(given));
        if (outcome.refusal === undefined) assert.deepEqual(copy, JSON.parse(JSON.stringify(given)));
        expect(isFrozen(copy)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('counts the bytes of its JSON, and the same size as sizeOf does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(), (given, before) => {
        const tally = new Tally({ json: before, memory: before });
        const copy = frozenCopy(given, 'it', tally);
        const size = { json: tally.json - before, memory: tally.memory - before };
        expect(size).toEqual(shown(sizeOf(copy)));
        const bytes = Buffer.byteLength(JSON.stringify(given));
        // One comma too many is counted for each that holds something.
        expect(size.json - bytes).toBe(filledOf(given));
      }),
      { numRuns: 500 },
    );
  });

  it('of a refused value adds nothing to the tally', () => {
    const tally = new Tally();
    expect(() => frozenCopy({ some: 'text', n: 1n }, 'it', tally)).toThrow('it.n');
    expect(shown(tally)).toEqual({ json: 0, memory: 0 });
  });

  it.each([
    ['a short text', 20],
    ['one longer than is copied at a time', 3000],
    ['one with wide characters', 40],
  ])('lets go of the text that %s was sliced from', (what, length) => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    const filler = what.includes('wide') ? 'é–😀x' : 'abcd';
    const copies: string[] = [];
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let round = 0; round < 20; round++) {
      const whole = (filler + String(round)).repeat(200_000);
      copies.push(frozenCopy(whole.slice(10, 10 + length), 'it', new Tally()));
    }
    gc();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
    expect(copies.every((copy) => copy.length === length)).toBe(true);
  });
});

describe('shared facts', () => {
  it('give the same as a frozen copy, size included, and one object for equal values', () => {
    const facts = new SharedFacts();
    const some = fc.oneof(fc.constantFrom({ a: 1 }, { a: -0 }, { a: 0 }, { b: [1, { c: 'd' }] }, { a: undefined }), value);
    fc.assert(
      fc.property(some, (given) => {
        const [shared, own] = [new Tally(), new Tally()];
        const first = outcomeOf(() => facts.frozen(given, 'it', shared));
        expect(first).toEqual(outcomeOf(() => frozenCopy(given, 'it', own)));
        if (first.refusal !== undefined) return;
        expect(shown(shared)).toEqual(shown(own));
        expect(first.text).toBe(JSON.stringify(facts.frozen(given, 'it', shared)));
      }),
      { numRuns: 500 },
    );
    const capabilities = (): object => ({ elicitation: { form: {} }, list: ['x'] });
    const first = facts.frozen(capabilities(), 'it', new Tally());
    expect(facts.frozen(capabilities(), 'it', new Tally())).toBe(first);
  });

  it('are as many as the last few, however many there were', () => {
    const facts = new SharedFacts();
    for (let index = 0; index < 1000; index++) facts.frozen({ index }, 'it', new Tally());
    facts.frozen({ text: 'x'.repeat(5000) }, 'it', new Tally());
    const kept = (facts as unknown as { facts: { value: object }[] }).facts;
    expect(kept).toHaveLength(16);
    expect(kept.some(({ value: fact }) => 'text' in fact)).toBe(false);
  });
});

const shown = ({ json, memory }: Size): Size => ({ json, memory });

/** How many objects and arrays hold something. */
function filledOf(given: unknown): number {
  if (typeof given !== 'object' || given === null) return 0;
  const members = Object.values(given) as unknown[];
  return (members.length > 0 ? 1 : 0) + members.reduce<number>((sum, member) => sum + filledOf(member), 0);
}
