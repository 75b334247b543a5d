import { InProcessTaskExecutor } from '@mocapi/tasks';
import { FakeClock } from '@mocapi/testing';
import { LastTryLane, type LastTrySlot } from '../../src/slots/last-try-lane.js';
import { turns } from '../e2e/support/flow.js';

const PATIENCE = 15_000;

let clock: FakeClock;
let executor: InProcessTaskExecutor;
let lane: LastTryLane;
let ready: string[];
let survived: string[];
let isHeldAgainst: boolean;

beforeEach(() => {
  clock = new FakeClock();
  executor = new InProcessTaskExecutor({ maxRunning: 8, maxQueued: 10 });
  lane = new LastTryLane(clock, PATIENCE);
  ready = [];
  survived = [];
  isHeldAgainst = false;
});

function join(name: string, limit?: number): LastTrySlot {
  const slot = lane.reserve({
    limit,
    reserve: () => executor.reserve({ resumed: true }),
    survived: () => {
      survived.push(name);
      return !isHeldAgainst;
    },
  });
  void slot.ready.then(() => {
    ready.push(name);
    slot.begun();
  });
  return slot;
}

/** Suspects that come together. */
function joinAll(names: string, limit?: number): Promise<LastTrySlot[]> {
  return lane.gather(async () => names.split('').map((name) => join(name, limit)));
}

describe('a last try', () => {
  it('begins at once when nobody is before it, alone, and takes a place like any other', async () => {
    const slot = join('a');
    await turns(3);
    expect([ready, slot.group, executor.load().running, lane.size]).toEqual([['a'], 1, 1, 0]);
  });

  it('begins with half of those that are suspected with it, and the other half begins when all of them have ended', async () => {
    const slots = await joinAll('abcde');
    await turns(3);
    expect([ready, slots[0]!.group, lane.size]).toEqual([['a', 'b', 'c'], 3, 2]);
    for (const slot of slots.slice(0, 2)) slot.release();
    await turns(3);
    expect(ready).toHaveLength(3);
    slots[2]!.release();
    await turns(3);
    expect([ready.slice(3), slots[4]!.group, survived]).toEqual([['d', 'e'], 2, []]);
  });

  it('begins with no more than it may, whoever waits with it', async () => {
    const alone = await joinAll('ab', 1);
    await joinAll('cdef', 2);
    await turns(3);
    expect(ready).toEqual(['a']);
    alone[0]!.release();
    await turns(3);
    expect([ready, alone[1]!.group]).toEqual([['a', 'b'], 1]);
    alone[1]!.release();
    await turns(3);
    expect(ready).toEqual(['a', 'b', 'c', 'd']);
  });

  it('waits no longer than the patience for those that go on, however many they are', async () => {
    const slots = await joinAll('abcdefgh');
    await turns(3);
    await clock.advance(PATIENCE - 1);
    expect(ready).toHaveLength(4);
    await clock.advance(1);
    expect([ready.length, survived, executor.load().running]).toEqual([8, ['a', 'b', 'c', 'd'], 8]);
    for (const slot of slots) slot.release();
    expect([executor.load().running, clock.pendingTimers]).toEqual([0, 0]);
  });

  it('waits while another goes on that a death would be held against, if it has to be alone', async () => {
    isHeldAgainst = true;
    const [first, second] = await joinAll('ab', 1);
    await turns(3);
    await clock.advance(PATIENCE);
    expect(ready).toEqual(['a']);
    first!.release();
    await turns(3);
    expect([ready, second!.group]).toEqual([['a', 'b'], 1]);
  });

  it('waits for such a one three times the patience at most', async () => {
    isHeldAgainst = true;
    const [, second] = await joinAll('ab', 1);
    await turns(3);
    await clock.advance(4 * PATIENCE - 1);
    expect(ready).toEqual(['a']);
    await clock.advance(1);
    await turns(3);
    expect([ready, second!.group]).toEqual([['a', 'b'], 1]);
  });

  it('may begin beside such a one while its limit allows it, and says so', async () => {
    isHeldAgainst = true;
    const [, , third] = await joinAll('abc', 3);
    await turns(3);
    expect([ready, third!.group]).toEqual([['a', 'b', 'c'], 3]);
    await clock.advance(PATIENCE);
    const [fourth] = await joinAll('d', 4);
    await turns(3);
    expect([ready, fourth!.group]).toEqual([['a', 'b', 'c', 'd'], 4]);
  });

  it('proves nothing while it waits for a place: the patience counts from when it runs', async () => {
    const others = Array.from({ length: 8 }, () => executor.reserve());
    await joinAll('ab');
    await turns(3);
    await clock.advance(10 * PATIENCE);
    expect([ready, survived, executor.load().queued]).toEqual([[], [], 1]);
    for (const other of others) other.release();
    await turns(3);
    await clock.advance(PATIENCE - 1);
    expect([ready, survived]).toEqual([['a'], []]);
    await clock.advance(1);
    expect([ready, survived]).toEqual([['a', 'b'], ['a']]);
  });

  it('gives up its turn when it is released before it came, and its place whenever it is released', async () => {
    const slots = await joinAll('abc', 1);
    slots[1]!.release();
    await turns(3);
    slots[0]!.release();
    slots[0]!.release();
    await turns(3);
    expect(ready).toEqual(['a', 'c']);
    slots[2]!.release();
    expect([executor.load().running, clock.pendingTimers, lane.size]).toEqual([0, 0, 0]);
    join('d').release();
    await turns(3);
    expect([executor.load().running, clock.pendingTimers, ready]).toEqual([0, 0, ['a', 'c']]);
  });
});
