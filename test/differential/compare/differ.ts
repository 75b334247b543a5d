import type { Observation } from './observe.js';

/** One facet in which two answers differ; `undefined` where one of them has no such facet. */
export interface Difference {
  readonly facet: string;
  readonly ours: unknown;
  readonly official: unknown;
}

/** Facets that are compared whatever else differs. The others mean nothing between a result and an error, or two different errors. */
const ALWAYS = /^(status|content|outcome|answers|header (?!x-accel-buffering).*|id|jsonrpc|error\.message)$/;

/** Every facet in which the two differ. */
export function differ(ours: Observation, official: Observation): Difference[] {
  const isSameOutcome = ours.get('outcome') === official.get('outcome');
  const facets = new Set([...ours.keys(), ...official.keys()]);
  return [...facets].flatMap((facet) => {
    if (!isSameOutcome && !ALWAYS.test(facet)) return [];
    const pair = { facet, ours: ours.get(facet), official: official.get(facet) };
    if (!isSameOutcome && facet === 'content' && isAnswer(pair.ours) && isAnswer(pair.official)) return [];
    return JSON.stringify(pair.ours) === JSON.stringify(pair.official) ? [] : [pair];
  });
}

/** How an answer is framed follows from what it is; that there is one does not. */
function isAnswer(content: unknown): boolean {
  return content === 'json' || content === 'event stream';
}
