import type { Difference } from './differ.js';
import type { RequestFacts } from './request-facts.js';

/** A difference that is meant: where it is looked for, and why it stands. */
export interface AcceptedDifference {
  /** One sentence, unique. */
  readonly reason: string;
  /** The line of the specification, or of a decision in `docs/adr`, by which it stands. */
  readonly line: string;
  /** Who is right by that line; both where it leaves the choice. */
  readonly right: 'ours' | 'official' | 'both';
  /** Any of these shapes of a difference. */
  readonly shapes: readonly DifferenceShape[];
  /** Which requests it is about. @default all */
  readonly request?: (facts: RequestFacts, difference: Difference) => boolean;
}

/** A facet, or a pattern of facets, and the values on both sides; what is left out may be anything. */
export interface DifferenceShape {
  readonly facet: string | RegExp;
  readonly ours?: unknown;
  readonly official?: unknown;
}

/** The first entry that covers the difference. */
function accepts(list: readonly AcceptedDifference[], difference: Difference, facts: RequestFacts): AcceptedDifference | undefined {
  return list.find(({ shapes, request }) => shapes.some((shape) => fits(shape, difference)) && (request?.(facts, difference) ?? true));
}

/** What became of one case. */
export interface Verdict {
  /** The entries that cover its differences, each once. */
  readonly accepted: readonly AcceptedDifference[];
  readonly unlisted: readonly Difference[];
}

/** Looks every difference up. */
export function judge(list: readonly AcceptedDifference[], differences: readonly Difference[], facts: RequestFacts): Verdict {
  const found = differences.map((difference) => ({ difference, entry: accepts(list, difference, facts) }));
  return {
    accepted: [...new Set(found.flatMap(({ entry }) => entry ?? []))],
    unlisted: found.flatMap(({ difference, entry }) => (entry === undefined ? [difference] : [])),
  };
}

function fits(shape: DifferenceShape, { facet, ours, official }: Difference): boolean {
  const isFacet = typeof shape.facet === 'string' ? shape.facet === facet : shape.facet.test(facet);
  return isFacet && holds(shape, 'ours', ours) && holds(shape, 'official', official);
}

function holds(shape: DifferenceShape, side: 'ours' | 'official', value: unknown): boolean {
  return !(side in shape) || JSON.stringify(shape[side]) === JSON.stringify(value);
}
