import type { Group, Row } from '../model/row.js';
import type { Bed } from './bed.js';

/** How many rows of those that are sent as calls of a tool alone there are for each that a short run takes. */
const ONE_OF = 4;

const FEWER = { all: 'by turns', 'by turns': 'one', one: 'one', tool: 'tool' } as const;

/**
 * A bed with fewer requests. The first row of each group is sent on all carriers. In the others the carriers take turns where all were compared, and one
 * carrier is compared where they took turns. Of the rows that are sent as calls of a tool alone, one of four stays: another bed has the same rows.
 */
export function shortened(bed: Bed): Bed {
  return { ...bed, groups: bed.groups.map(shortenedGroup) };
}

function shortenedGroup({ name, rows }: Group): Group {
  const [first, ...others] = rows;
  const kept = others.filter(({ carriers }, index) => carriers !== 'tool' || index % ONE_OF === 0);
  return { name, rows: [...(first ? [{ ...first, carriers: 'all' as const }] : []), ...kept.map(withFewer)] };
}

function withFewer(row: Row): Row {
  return { ...row, carriers: FEWER[row.carriers ?? 'all'] };
}
