import { RULE_DTOS, WHOLE_DTOS } from '../rows/dto/index.js';
import type { Group, Row } from '../model/row.js';
import { validatingPipe, type Bed } from './bed.js';

/** `useGlobalPipes(new ValidationPipe({ transform: true }))`, as most applications have it. */
export const validating: Bed = {
  name: 'validating',
  groups: [...WHOLE_DTOS.map((group) => on('by turns', group)), ...RULE_DTOS.map((group) => on('tool', group))].map(({ name, rows }) => ({
    name: `ValidationPipe, ${name}`,
    rows,
  })),
  configure: validatingPipe,
};

/** What each carrier brings is seen in the application without pipes: here the carriers take turns. */
function on(carriers: Row['carriers'], { name, rows }: Group): Group {
  return { name, rows: rows.map((row) => ({ ...row, ...(carriers && { carriers }) })) };
}
