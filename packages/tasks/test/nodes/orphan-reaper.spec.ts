import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { InMemoryTaskStore, newTaskId, type TaskKey, taskKeyOf, type TaskRunIndex } from '@mocapi/tasks';
import { FakeClock } from '@mocapi/testing';
import { OrphanReaper, type OrphanFate } from '../../src/nodes/orphan-reaper.js';
import { turns } from '../e2e/support/flow.js';

let index: TaskRunIndex;
let takenOver: TaskKey[];
let fateOf: (key: TaskKey) => OrphanFate;
let reaper: OrphanReaper;
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
  reaper = new OrphanReaper({ index, nodes: { isOwn: () => false, patienceMs: Infinity } as never, takeOver });
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
  expect(await index.dead(Infinity)).toEqual([broken.session]);
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
