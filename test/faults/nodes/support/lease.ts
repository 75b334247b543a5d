import type { FaultScale } from '../../support/fault.js';

/** What a fault may take for granted of time, in milliseconds. */
export interface Timing {
  /** Short, so that a node is soon missed; but beside other tests a node may stand still for a second without being at fault. */
  readonly leaseMs: number;
  /** How long a dead node's work may wait for another node: a lease and two beats, each of which may come a quarter late. */
  readonly takenOverMs: number;
  /** What a bound grants beyond that to a machine on which other tests run at the same time; the long form runs alone. */
  readonly allowanceMs: number;
}

const BEATS_PER_LEASE = 5;
/** How much longer than a beat a node may leave between two of them, by chance, so that nodes don't beat in step. */
const JITTER = 0.25;

/** The timing of most faults. */
export function timingOf(scale: FaultScale): Timing {
  return scale === 'long' ? timing(1000, 0) : timing(2000, 1000);
}

function timing(leaseMs: number, allowanceMs: number): Timing {
  return { leaseMs, takenOverMs: leaseMs + (2 * (1 + JITTER) * leaseMs) / BEATS_PER_LEASE, allowanceMs };
}
