import { InProcessTaskExecutor, type TaskSlot } from '@mocapi/tasks';
import { FakeClock } from '@mocapi/testing';
import { ProbationLane } from '../../src/executor/probation-lane.js';
import { turns } from '../e2e/support/flow.js';

const PATIENCE = 15_000;

let clock: FakeClock;
let executor: InProcessTaskExecutor;
let lane: ProbationLane;
let ready: string[];
let acquitted: string[];

beforeEach(() => {
  clock = new FakeClock();
  executor = new InProcessTaskExecutor({ maxRunning: 2, maxQueued: 10 });
  lane = new ProbationLane(clock, PATIENCE);
  ready = [];
  acquitted = [];
});

function join(name: string): TaskSlot {
  const slot = lane.reserve(
    () => executor.reserve({ resumed: true }),
    () => void acquitted.push(name),
  );
  void slot.ready.then(() => ready.push(name));
  return slot;
}

describe('a task on probation', () => {
  it('begins at once when nobody is before it, and takes a place like any other', async () => {
    join('a');
    await turns(2);
    expect([ready, executor.load().running]).toEqual([['a'], 1]);
  });

  it('waits until the one before it has ended, and takes no place meanwhile', async () => {
    const first = join('a');
    join('b');
    join('c');
    await turns(2);
    expect([ready, executor.load()]).toEqual([['a'], { running: 1, queued: 0, zombies: 0 }]);
    first.release();
    await turns(2);
    expect([ready, acquitted, executor.load().running]).toEqual([['a', 'b'], [], 1]);
  });

  it('waits no longer than the patience for one that goes on', async () => {
    const first = join('a');
    join('b');
    await turns(2);
    await clock.advance(PATIENCE - 1);
    expect(ready).toEqual(['a']);
    await clock.advance(1);
    expect([ready, acquitted, executor.load().running]).toEqual([['a', 'b'], ['a'], 2]);
    first.release();
    await turns(2);
    expect(executor.load().running).toBe(1);
  });

  it('proves nothing while it waits for a place: the patience counts from when it runs', async () => {
    const others = [executor.reserve(), executor.reserve()];
    join('a');
    join('b');
    await turns(2);
    await clock.advance(10 * PATIENCE);
    expect([ready, acquitted, executor.load().queued]).toEqual([[], [], 1]);
    for (const other of others) other.release();
    await turns(3);
    await clock.advance(PATIENCE - 1);
    expect([ready, acquitted]).toEqual([['a'], []]);
    await clock.advance(1);
    expect([ready, acquitted]).toEqual([['a', 'b'], ['a']]);
  });

  it('gives up its turn when it is released before it came, and its place whenever it is released', async () => {
    const slots = ['a', 'b', 'c'].map(join);
    slots[1]!.release();
    await turns(2);
    slots[0]!.release();
    slots[0]!.release();
    await turns(2);
    expect(ready).toEqual(['a', 'c']);
    slots[2]!.release();
    expect([executor.load().running, clock.pendingTimers]).toEqual([0, 0]);
    join('d').release();
    await turns(2);
    expect([executor.load().running, clock.pendingTimers]).toEqual([0, 0]);
  });
});
