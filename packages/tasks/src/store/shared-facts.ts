import { frozenCopy } from './frozen-copy.js';
import { type Size, Tally } from './record-size.js';

interface Fact {
  readonly value: unknown;
  readonly size: Size;
}

/** So many values are remembered; each takes the place of the oldest. */
const REMEMBERED = 16;
/** Larger values, in bytes of JSON, are not remembered. */
const MAX_BYTES = 4096;

/**
 * Frozen values that many records hold alike, such as what a client says of itself in each request: equal ones become one object. The clients of a server
 * are of a few kinds, so the last few values are enough.
 */
export class SharedFacts {
  private readonly facts: Fact[] = [];
  private oldest = 0;

  /** The same as `frozenCopy` gives, perhaps the very object that it gave before. */
  frozen<T>(value: T, name: string, tally: Tally): T {
    let fact: Fact | undefined;
    for (const known of this.facts) {
      if (!isEqual(value, known.value)) continue;
      fact = known;
      break;
    }
    fact ??= this.remembered(value, name);
    tally.add(fact.size.json, fact.size.memory);
    return fact.value as T;
  }

  private remembered(given: unknown, name: string): Fact {
    const size = new Tally();
    const fact = { value: frozenCopy(given, name, size), size };
    if (size.json > MAX_BYTES) return fact;
    this.facts[this.oldest] = fact;
    this.oldest = (this.oldest + 1) % REMEMBERED;
    return fact;
  }
}

/** Whether a value is plain JSON, and the same as `known`, members in the same order. */
function isEqual(value: unknown, known: unknown): boolean {
  if (typeof value !== 'object' || value === null || typeof known !== 'object' || known === null) return Object.is(value, known);
  if (Object.getPrototypeOf(value) !== Object.getPrototypeOf(known) || Object.getOwnPropertySymbols(value).length > 0) return false;
  const names = Object.keys(value);
  const others = Object.keys(known);
  if (names.length !== others.length || (value as Members).length !== (known as Members).length) return false;
  // By index: the pairs of `entries` would be made for each request.
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    if (name !== others[index] || !isEqual((value as Members)[name], (known as Members)[name])) return false;
  }
  return true;
}

type Members = Readonly<Record<string, unknown>>;
