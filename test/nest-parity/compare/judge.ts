import type { Difference } from './differ.js';

/** Which request on which carrier a difference is about. */
export interface Place {
  readonly group: string;
  readonly row: string;
  readonly input: string;
  readonly carrier: string;
}

/** A difference that is meant. */
export interface AcceptedDifference {
  /** One sentence, unique: what differs. */
  readonly reason: string;
  /** Why that is right: a decision in `docs/adr`, a line of the revision, or what a caller of MCP needs that a caller of REST does not. */
  readonly why: string;
  readonly facet: string | RegExp;
  /** Where it may occur. */
  readonly where: (place: Place, difference: Difference) => boolean;
}

/** The first entry that covers the difference. */
export function acceptedBy(list: readonly AcceptedDifference[], place: Place, difference: Difference): AcceptedDifference | undefined {
  return list.find(({ facet, where }) => fits(facet, difference.facet) && where(place, difference));
}

function fits(wanted: string | RegExp, facet: string): boolean {
  return typeof wanted === 'string' ? wanted === facet : wanted.test(facet);
}
