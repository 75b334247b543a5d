import type { TaskRun } from './task-record.js';

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
