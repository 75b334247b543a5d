import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { guardRatios } from '@mocapi/bench';

type Ratios = Readonly<Record<string, number>>;

/** Only gross regressions count: ratios move by a third from machine to machine. */
const GROSS = 1.5;
const GUARD = join(import.meta.dirname, '../../bench/guard.json');
// Some seconds alone, and many times of that beside other tests.
const WITHIN_MS = 180_000;

async function recorded(): Promise<{ readonly ratios: Ratios }> {
  return JSON.parse(await readFile(GUARD, 'utf8')) as { ratios: Ratios };
}

async function grossRegressions(ratios: Ratios): Promise<string[]> {
  const now = await guardRatios();
  expect(Object.keys(now)).toEqual(Object.keys(ratios));
  return Object.entries(now)
    .filter(([cell, ratio]) => ratio > ratios[cell]! * GROSS)
    .map(([cell, ratio]) => `${cell}: ${ratio} F, recorded ${ratios[cell]} F`);
}

test(
  'no call costs half as much again as recorded, beside a bare route, in two runs',
  async () => {
    const { ratios } = await recorded();
    const first = await grossRegressions(ratios);
    const confirmed = first.length === 0 ? [] : await grossRegressions(ratios);
    expect(confirmed).toEqual([]);
  },
  WITHIN_MS,
);
