import type { TaskRun } from './task-record.js';

// How suspects are tried: in groups, so that a few deaths find the one which nodes die of.

/** Consequence of a node's death for its run. */
export interface Suspicion {
  /** It is held against the task, as one of its attempts. */
  readonly counts: boolean;
  /** How many suspects the task may begin with the next time, itself included; undefined when nothing limits that yet. */
  readonly group?: number | undefined;
}

/** Whether the body of a run never started: none of it can have happened, whatever its node died of. */
export function neverBegan({ waiting, released, probation }: TaskRun): boolean {
  return waiting === true || released === 'unbegun' || probation === 'waiting';
}

/**
 * Judges a run whose node died. A run that never began, was released or was acquitted is not suspected. A run that
 * began among others may be the cause, and begins with half as many the next time. Only a run that began alone, so
 * that nothing else can be the cause, has used up an attempt; so has every run that was not on probation.
 */
export function suspicionOf(run: TaskRun): Suspicion {
  const { released, probation, group } = run;
  if (neverBegan(run) || released || probation === 'acquitted') return { counts: false, group };
  if (probation === 'begun' && group !== undefined && group > 1) return { counts: false, group: Math.ceil(group / 2) };
  return { counts: true };
}

/** How many of those that are suspected for the first time begin together: half of them. The other half is found innocent, or guilty, without the first. */
export function firstGroup(suspects: number): number {
  return Math.ceil(suspects / 2);
}

/**
 * How many waiting suspects begin together now: as many, from the first on, as the limits allow.
 * @param limits the most that each may begin with, itself included, in the order in which they wait
 * @param besides how many others would also be suspected after a death
 * @returns 0 if not even the first may begin beside those
 */
export function groupSize(limits: readonly number[], besides = 0): number {
  let least = Infinity;
  for (const [index, limit] of limits.entries()) {
    least = Math.min(least, limit);
    if (index + 1 + besides > least) return index;
  }
  return limits.length;
}
