import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { InMemoryTaskStore, newTaskId, taskKeyOf, TaskStoreUnavailableError, type TaskRunIndex } from '@mocapi/tasks';
import { FakeClock } from '@mocapi/testing';
import { NodeMembership } from '../../src/nodes/node-membership.js';
import { turns } from '../e2e/support/flow.js';

const LEASE = 15_000;

let clock: FakeClock;
let index: TaskRunIndex;
let node: NodeMembership;
let told: string[];

beforeEach(async () => {
  for (const level of ['log', 'warn'] as const) jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
  clock = new FakeClock();
  index = new InMemoryTaskStore(clock).runIndex;
  node = new NodeMembership({ index, clock, leaseMs: LEASE });
  told = [];
  const tell = (what: string) => () => void told.push(what);
  await node.start({ stopped: tell('stopped'), orphaned: tell('orphaned'), lost: tell('lost'), beaten: tell('beaten') });
});

afterEach(() => {
  node.stop();
  jest.restoreAllMocks();
});

const someKey = () => taskKeyOf(undefined, newTaskId());
const left = async () => (await index.sessions()).filter(({ sign }) => sign === undefined).map(({ session: name }) => name);
const session = async (): Promise<string> => (await node.enter(someKey())).session;

describe('a node', () => {
  it('says that it lives five times in a lease, a quarter of that early or late', async () => {
    await clock.advance(10 * LEASE);
    expect(told.filter((what) => what === 'beaten').length).toBeGreaterThanOrEqual(40);
    expect(told.filter((what) => what === 'beaten').length).toBeLessThanOrEqual(67);
  });

  it('that was taken for dead is told so once, and goes on under another session', async () => {
    const before = await session();
    await index.leave(before);
    await clock.advance(LEASE / 4);
    expect(told.filter((what) => what === 'lost')).toEqual(['lost']);
    expect(await session()).not.toBe(before);
    expect(node.isOwn(before)).toBe(false);
  });

  it('that stood still for a lease asks whether it lives before it enters anything', async () => {
    const before = await session();
    const standing = index.beat.bind(index);
    index.beat = () => new Promise(() => undefined);
    await clock.advance(LEASE + 1);
    index.beat = standing;
    await index.leave(before);
    const entry = await node.enter(someKey());
    expect(entry.session).not.toBe(before);
    expect(told).toContain('lost');
  });

  it('lets what it entered too late be found, under a name that the others had forgotten', async () => {
    const before = await session();
    await index.leave(before);
    for (const key of await index.runningOf(before, 10)) await index.unmark(before, key);
    await index.drop(before);
    expect(await left()).toEqual([]);
    const late = await node.enter(someKey());
    expect(late.session).toBe(before);
    expect(await left()).toEqual([before]);
    await clock.advance(LEASE / 4);
    expect([told.includes('lost'), await left(), (await session()) === before]).toEqual([true, [before], false]);
  });

  it('does not lose its session by a store that is away', async () => {
    const before = await session();
    const { beat } = index;
    index.beat = () => Promise.reject(new Error('away'));
    await clock.advance(3 * LEASE);
    index.beat = beat;
    await clock.advance(LEASE);
    expect([await session(), told.includes('lost')]).toEqual([before, false]);
  });

  it('is sure that it lives for a beat and a quarter after the store said so', async () => {
    expect(node.isSure).toBe(true);
    await clock.advance(10 * LEASE);
    expect(node.isSure).toBe(true);
    index.beat = () => Promise.reject(new Error('away'));
    await clock.advance((LEASE / 5) * 1.25 + 1);
    expect(node.isSure).toBe(false);
  });

  it('that has left refuses what is begun on it, in words that a client can act on, and leaves no timer', async () => {
    const before = await session();
    await node.leave();
    await expect(node.enter(someKey())).rejects.toThrow(TaskStoreUnavailableError);
    expect(await left()).toEqual([before]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('without an index is alone, and always itself', async () => {
    const alone = new NodeMembership({ index: undefined, clock, leaseMs: LEASE });
    const timers = clock.pendingTimers;
    await alone.start({ stopped: () => undefined, orphaned: () => undefined, lost: () => undefined, beaten: () => undefined });
    const first = await alone.enter(someKey());
    first.leave();
    await clock.advance(3 * LEASE);
    expect([(await alone.enter(someKey())).session, clock.pendingTimers]).toEqual([first.session, timers]);
    expect(alone.isOwn(first.session)).toBe(true);
  });
});

describe('what a node has entered', () => {
  it('stands until the last of those who entered it leaves', async () => {
    const key = someKey();
    const [one, two] = [await node.enter(key), await node.enter(key)];
    one.leave();
    one.leave();
    await turns(1);
    expect(await index.runningOf(one.session, 10)).toEqual([key]);
    two.leave();
    await turns(1);
    expect(await index.runningOf(one.session, 10)).toEqual([]);
  });

  it('stands when it is abandoned, for the others to find', async () => {
    const entry = await node.enter(someKey());
    entry.abandon();
    entry.leave();
    await turns(1);
    expect(await index.runningOf(entry.session, 10)).toHaveLength(1);
  });

  it('is entered and struck off again where the index lost it', async () => {
    const [stays, goes] = [await node.enter(someKey()), await node.enter(someKey())];
    const [kept, struck] = await index.runningOf(stays.session, 2);
    await index.unmark(stays.session, kept!);
    const { unmark } = index;
    index.unmark = () => Promise.reject(new Error('lost'));
    goes.leave();
    await turns(1);
    index.unmark = unmark;
    expect(await index.runningOf(stays.session, 10)).toEqual([struck]);
    await node.reconcile();
    expect(await index.runningOf(stays.session, 10)).toEqual([kept]);
  });
});
