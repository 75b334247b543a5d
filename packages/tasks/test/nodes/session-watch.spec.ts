import { SessionWatch, type DeadSession } from '../../src/nodes/session-watch.js';

const LEASE = 15_000;
const BEAT = 3000;

let watch: SessionWatch;
let now: number;
let signs: Record<string, string | undefined>;

beforeEach(() => {
  watch = new SessionWatch({ leaseMs: LEASE, beatMs: BEAT });
  now = 0;
  signs = { a: '1', b: '1' };
});

/** Looks after `ms`, for `times`. */
function look(ms: number, times = 1): string[] {
  let dead: readonly DeadSession[] = [];
  for (let left = times; left > 0; left--) {
    now += ms;
    dead = watch.look({ sessions: Object.entries(signs).map(([session, sign]) => ({ session, sign })), askedAt: now, seenAt: now });
  }
  return dead.map(({ session }) => session);
}

const beat = (session: string): void => void (signs[session] = String(Number(signs[session]) + 1));

it('a session is dead when its sign has not changed for a lease of the own time, and not before', () => {
  look(0);
  for (let beats = 0; beats < 5; beats++) {
    beat('b');
    expect(look(BEAT)).toEqual([]);
  }
  beat('b');
  expect(look(1)).toEqual(['a']);
});

it('who has left is dead at once', () => {
  signs.a = undefined;
  expect(look(0)).toEqual(['a']);
});

it('a beat begins the time again, whatever the sign is', () => {
  look(BEAT, 5);
  signs.a = '0';
  expect(look(BEAT, 2)).toEqual(['b']);
});

it('time in which it could not look does not count, and what it saw before stays', () => {
  look(BEAT, 4);
  expect(look(LEASE - 1)).toEqual([]);
  expect(look(BEAT, 2)).toEqual([]);
  expect(look(1)).toEqual(['a', 'b']);
});

it('after a lease without a look everyone is watched from the beginning', () => {
  look(BEAT, 5);
  expect(look(LEASE)).toEqual([]);
  expect(look(BEAT, 5)).toEqual([]);
  expect(look(1)).toEqual(['a', 'b']);
});

it('a link that breaks for 1.3 s in each lease of 3 s delays the finding and does not prevent it', () => {
  watch = new SessionWatch({ leaseMs: 3000, beatMs: 600 });
  let dead: string[] = [];
  let leases = 0;
  for (; dead.length === 0 && leases < 10; leases++) {
    look(600, 2);
    dead = look(1800);
  }
  expect([dead, leases]).toEqual([['a', 'b'], expect.any(Number)]);
  expect(leases).toBeLessThanOrEqual(4);
});

it('knows those that the last look showed', () => {
  look(0);
  delete signs.a;
  look(BEAT);
  expect([watch.knows('a'), watch.knows('b')]).toEqual([false, true]);
});
