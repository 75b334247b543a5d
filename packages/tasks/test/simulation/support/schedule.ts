import type { WireFaults } from './link.js';
import type { Random } from './random.js';
import type { Act, Answering, TaskPlan } from './task-plan.js';

/** What befalls a cluster, and when: milliseconds after the beginning. `node` picks one of those that live then. */
export interface PlannedFault {
  readonly at: number;
  readonly kind: 'kill' | 'pause' | 'drain' | 'boot' | 'clock jump' | 'store away';
  readonly node: number;
  /** How long it lasts, or how far the clock jumps. */
  readonly ms: number;
}

/** All that a seed decides before the beginning; what it decides on the way is the order of things. */
export interface Schedule {
  readonly nodes: number;
  readonly tasks: readonly TaskPlan[];
  readonly faults: readonly PlannedFault[];
  readonly wire: Omit<WireFaults, 'awayUntil'>;
  /** Attempts that each node runs at once. */
  readonly places: number;
  readonly maxAttempts: number;
}

/** The lease of simulated nodes, in milliseconds. */
export const LEASE_MS = 3000;
/** Five beats in a lease, each up to a quarter late. */
export const TWO_BEATS_MS = (2 * 1.25 * LEASE_MS) / 5;
/** How long faults strike. */
export const TROUBLE_MS = 6000;

const RATES = [0, 0, 0.02, 0.08];
const HOUR_MS = 3_600_000;

/** The schedule that chance decides. */
export function drawSchedule(random: Random): Schedule {
  const nodes = random.between(2, 4);
  return {
    nodes,
    tasks: Array.from({ length: random.between(1, 4) }, (_, index) => drawTask(random, `task-${index + 1}`)),
    faults: Array.from({ length: random.between(0, 4) }, () => drawFault(random)),
    wire: {
      lostRequests: random.pick(RATES),
      lostReplies: random.pick(RATES),
      lostHints: random.pick([0, 0.2, 1]),
      doubledHints: random.pick([0, 0.3]),
      slow: random.pick([0, 0.05, 0.2]),
    },
    places: random.pick([1, 2, 8]),
    maxAttempts: random.pick([2, 3]),
  };
}

function drawFault(random: Random): PlannedFault {
  const kind = random.pick(['kill', 'kill', 'pause', 'pause', 'drain', 'drain', 'boot', 'clock jump', 'store away'] as const);
  return { at: random.between(200, TROUBLE_MS - 1), kind, node: random.below(4), ms: durationOf(kind, random) };
}

function durationOf(kind: PlannedFault['kind'], random: Random): number {
  switch (kind) {
    case 'pause':
      return random.pick([LEASE_MS / 2, 2 * LEASE_MS]);
    case 'clock jump':
      return random.pick([-1, 1]) * random.pick([LEASE_MS, HOUR_MS]);
    case 'store away':
      return random.pick([300, 2 * LEASE_MS]);
    default:
      return 0;
  }
}

function drawTask(random: Random, name: string): TaskPlan {
  return {
    name,
    tool: random.chance(0.75) ? 'replayed' : 'interrupted',
    acts: drawActs(random),
    ignoresSignal: random.chance(0.2),
    ttlMs: random.chance(0.15) ? random.between(500, 6000) : 120_000,
    principal: random.chance(0.8) ? 'alice' : undefined,
    startsAt: random.between(0, TROUBLE_MS / 2),
    cancelsAfter: random.chance(0.2) ? random.between(0, 3000) : undefined,
    answering: random.pick<Answering>(['all', 'all', 'twice', 'one by one', 'nonsense first', 'never']),
    listens: random.chance(0.4),
  };
}

function drawActs(random: Random): readonly Act[] {
  let keys = 0;
  const key = (): string => `key-${(keys += 1)}`;
  const acts = Array.from({ length: random.between(1, 5) }, (): Act => {
    switch (random.below(5)) {
      case 0:
      case 1:
        return { do: 'sleep', ms: random.pick([20, 400, 1500, 4000]) };
      case 2:
        return { do: 'step', key: key(), ms: random.pick([0, 300]) };
      case 3:
        return { do: 'ask', keys: random.chance(0.4) ? [key(), key()] : [key()] };
      default:
        return { do: 'progress' };
    }
  });
  return random.chance(0.15) ? [...acts, { do: random.pick(['break', 'deny'] as const) }] : acts;
}
