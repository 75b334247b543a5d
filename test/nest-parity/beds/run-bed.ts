import { runRoute } from '../carriers/rest.js';
import type { Carrier, Ground, Trip } from '../carriers/carrier.js';
import { CARRIERS } from '../carriers/index.js';
import { differ } from '../compare/differ.js';
import type { Observation } from '../compare/observation.js';
import type { Place } from '../compare/judge.js';
import type { Surface } from '../model/surface.js';
import type { Tally } from '../report.js';
import type { Bed } from './bed.js';
import { startBed } from './start-bed.js';

/** Starts the application of a bed, sends every input of every row on every carrier, and ends the application. */
export async function runBed(bed: Bed, tally: Tally): Promise<void> {
  const { testing, surfaces, refused } = await startBed(bed);
  const groupOf = ({ row }: Surface): string => bed.groups.find(({ rows }) => rows.includes(row))!.name;
  for (const { surface, problem } of refused) {
    const place = { group: groupOf(surface), row: surface.row.name, input: 'boot', carrier: 'all' };
    tally.compared(place, undefined, [{ facet: 'boot', rest: 'starts', mcp: problem }]);
  }
  try {
    const ground = { origin: new URL(testing.url).origin, client: testing.client() };
    for (const surface of surfaces) await runRow({ bed, ground, tally, group: groupOf(surface) }, surface);
  } finally {
    await testing.close();
  }
}

interface Setting {
  readonly bed: Bed;
  readonly ground: Ground;
  readonly tally: Tally;
  readonly group: string;
}

async function runRow(setting: Setting, surface: Surface): Promise<void> {
  for (const [name, input] of Object.entries(surface.row.inputs)) {
    const trip = { surface, input };
    await setting.bed.reset?.();
    const route = await runRoute(setting.ground, trip);
    for (const carrier of carriersOf(surface)) {
      const place = { group: setting.group, row: surface.row.name, input: name, carrier: carrier.name };
      await compare(setting, { place, carrier, trip, route });
    }
  }
}

let turn = 0;

function carriersOf({ row }: Surface): readonly Carrier[] {
  switch (row.carriers ?? 'all') {
    case 'all':
      return CARRIERS;
    case 'tool':
      return CARRIERS.slice(0, 1);
    case 'one':
      turn += 1;
      return [CARRIERS[turn % CARRIERS.length]!];
    case 'by turns':
      turn += 1;
      return [CARRIERS[0]!, CARRIERS[1 + (turn % (CARRIERS.length - 1))]!];
  }
}

async function compare(
  { bed, ground, tally }: Setting,
  { place, carrier, trip, route }: { place: Place; carrier: Carrier; trip: Trip; route: Observation },
): Promise<void> {
  const obstacle = carrier.obstacle(trip, route);
  if (obstacle !== undefined) {
    tally.cannotCarry(place, obstacle);
    return;
  }
  await bed.reset?.();
  const { original, renamed, param } = trip.surface.row;
  const terms = { leavesEarly: carrier.leavesEarly ?? false, original, renamed, param: param?.name };
  const differences = await carrier.run(ground, trip).then(
    (seen) => differ(route, seen, terms),
    (error: Error) => [{ facet: 'carrier', rest: 'answers', mcp: error.message }],
  );
  tally.compared(place, trip.input.args, differences);
}
