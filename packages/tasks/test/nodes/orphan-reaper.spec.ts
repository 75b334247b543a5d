import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { InMemoryTaskStore, newTaskId, type TaskKey, taskKeyOf, type TaskRunIndex } from '@mocapi/tasks';
import { FakeClock } from '@mocapi/testing';
import { OrphanReaper, type OrphanFate } from '../../src/nodes/orphan-reaper.js';
import { TakeoverPortion } from '../../src/nodes/takeover-portion.js';
import { turns } from '../e2e/support/flow.js';

const BEAT = 3000;

let clock: FakeClock;
let index: TaskRunIndex;
let free: () => number;
let takenOver: TaskKey[];
let fateOf: (key: TaskKey) => OrphanFate;
let reaper: OrphanReaper;
let portion: TakeoverPortion;
let warn: jest.SpiedFunction<Logger['warn']>;

beforeEach(() => {
  warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  index = new InMemoryTaskStore(new FakeClock()).runIndex;
  takenOver = [];
  fateOf = () => 'settled';
  const takeOver = async (key: TaskKey): Promise<OrphanFate> => {
    takenOver.push(key);
    return fateOf(key);
  };
  clock = new FakeClock();
  free = () => Infinity;
  portion = new TakeoverPortion({ clock, beatMs: BEAT, free: () => free(), running: () => 64 });
  const left = async () => (await index.sessions()).map(({ session }) => session);
  reaper = new OrphanReaper({ index, portion, takeOver, roster: { left }, gather: (work) => work() });
});
afterEach(() => {
  reaper.stop();
  jest.restoreAllMocks();
});

/** A node that left while it ran a task. */
async function leftRunning(): Promise<{ session: string; key: TaskKey }> {
  const session = await index.join({ stopped: () => undefined, orphaned: () => undefined });
  const key = taskKeyOf(undefined, newTaskId());
  await index.markRunning(session, key);
  await index.leave(session);
  return { session, key };
}

async function look(): Promise<void> {
  reaper.look();
  await turns(20);
}

it('a dead node of which nothing can be read does not keep others from being looked at', async () => {
  const [broken, other] = [await leftRunning(), await leftRunning()];
  const runningOf = index.runningOf.bind(index);
  const failing = jest.spyOn(index, 'runningOf').mockImplementation(async (session, limit) => {
    if (session === broken.session) throw new Error('not to be read');
    return runningOf(session, limit);
  });
  await look();
  expect(failing.mock.calls.map(([session]) => session)).toContain(broken.session);
  expect(takenOver).toEqual([other.key]);
  expect(await index.sessions()).toEqual([{ session: broken.session, sign: undefined }]);
});

it('what was settled is not settled again though it can not be struck off', async () => {
  const { session, key } = await leftRunning();
  const unmark = jest.spyOn(index, 'unmark').mockResolvedValue(undefined);
  await look();
  expect([takenOver, unmark.mock.calls]).toEqual([[key], [[session, key]]]);
});

it('what stays broken is warned of once, and once more when it comes back', async () => {
  await leftRunning();
  await leftRunning();
  const broken = () => {
    throw new Error('broken');
  };
  const said = () => warn.mock.calls.filter(([text]) => String(text).includes('broken')).length;
  fateOf = broken;
  for (let round = 0; round < 5; round++) await look();
  expect([takenOver.length, said()]).toEqual([10, 1]);
  fateOf = () => 'left';
  await look();
  fateOf = broken;
  await look();
  expect(said()).toBe(2);
});

it('no more is taken on than there are places for; the rest is left to the others for a beat, and then taken on little by little', async () => {
  const { session } = await leftRunning();
  for (let more = 0; more < 40; more++) await index.markRunning(session, taskKeyOf(undefined, newTaskId()));
  free = () => Math.max(0, 10 - takenOver.length);
  await look();
  expect(takenOver).toHaveLength(10);
  await look();
  expect(takenOver).toHaveLength(10);
  await clock.advance(BEAT);
  await look();
  expect(takenOver).toHaveLength(18);
  await clock.advance(BEAT - 1);
  await look();
  expect(takenOver).toHaveLength(18);
});

it('what was left is taken on as soon as there is a place for it, and no look is made without one', async () => {
  const { session } = await leftRunning();
  for (let more = 0; more < 20; more++) await index.markRunning(session, taskKeyOf(undefined, newTaskId()));
  const looks = jest.spyOn(index, 'runningOf');
  let places = 10;
  free = () => Math.max(0, places - takenOver.length);
  await look();
  const before = looks.mock.calls.length;
  if (portion.isDue) reaper.look();
  await turns(20);
  expect([takenOver.length, looks.mock.calls.length]).toEqual([10, before]);
  places = 100;
  if (portion.isDue) reaper.look();
  await turns(20);
  expect([takenOver.length, await index.sessions()]).toEqual([21, []]);
});
