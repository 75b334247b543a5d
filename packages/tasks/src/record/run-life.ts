import { runOf, type RunClaim, type RunToken, type TaskRecord, type TaskRun } from './task-record.js';
import { isRunBy } from './task-transitions.js';

/**
 * Where a run stands. Its record keeps that in members whose names older releases read; `lifeOf` alone reads them, and
 * the transitions below alone write them.
 *
 * | Stage | Stored as | Next | When its node dies, the next run is |
 * |---|---|---|---|
 * | `queued`: waits for a slot | `waiting` | `begun` → running | the same attempt |
 * | `running` | none of them | the task ends or asks | the next attempt |
 * | `held`: the last try, waits for its turn | `probation: 'waiting'` | `begun` → tried | the same attempt |
 * | `tried`: the last try, begun | `probation: 'begun'` | `trusted`, once for a task | the next attempt if it began alone; otherwise the same, beside half as many |
 * | `trusted`: the last try, which ran for a lease without harm | `probation: 'acquitted'` | the task ends or asks | the same attempt |
 * | `released`: its node gave it up on purpose, from any stage | `released` | | the same attempt |
 *
 * `takenOver` makes the next run, and `onLastTry` holds it if no further attempt is allowed.
 */
export type RunLife =
  | { readonly stage: 'running' }
  | { readonly stage: 'queued' | 'held' | 'tried' | 'trusted'; readonly group: number | undefined }
  | { readonly stage: 'released'; readonly group: number | undefined; readonly hasBegun: boolean };

/** The stage of a stored run, of this release or an older one. */
export function lifeOf(run: TaskRun): RunLife {
  const { waiting, probation, group } = run;
  if (run.released !== undefined) return { stage: 'released', group, hasBegun: run.released === 'begun' };
  if (probation === 'waiting') return { stage: 'held', group };
  if (waiting) return { stage: 'queued', group };
  if (probation === undefined) return { stage: 'running' };
  return { stage: probation === 'begun' ? 'tried' : 'trusted', group };
}

/** Whether the body of a run never started: none of it can have happened, whatever its node died of. */
export function neverBegan(run: TaskRun): boolean {
  const life = lifeOf(run);
  return life.stage === 'released' ? !life.hasBegun : isWaiting(run);
}

/** Whether the body of a run waits, so that its record must be changed before the body starts. */
export function isWaiting(run: TaskRun): boolean {
  const { stage } = lifeOf(run);
  return stage === 'queued' || stage === 'held';
}

/** Whether a run of these attempts was trusted. It happens once, or a task that kills its nodes slowly would go on doing so. */
export function wasTrusted({ wasAcquitted, probation }: TaskRun): boolean {
  return wasAcquitted === true || probation === 'acquitted';
}

/** Consequence of a node's death for its run. */
export interface Suspicion {
  /** It is held against the task, as one of its attempts. */
  readonly counts: boolean;
  /** How many suspects the task may begin with the next time, itself included; undefined when nothing limits that yet. */
  readonly group?: number | undefined;
}

/**
 * Judges a run whose node died. A run that began among others on the last try may be the cause, and begins with half
 * as many the next time. Only a run that began alone, so that nothing else can be the cause, has used up an attempt.
 */
export function suspicionOf(run: TaskRun): Suspicion {
  const life = lifeOf(run);
  switch (life.stage) {
    case 'running':
      return { counts: true };
    case 'tried':
      return life.group !== undefined && life.group > 1 ? { counts: false, group: Math.ceil(life.group / 2) } : { counts: true };
    case 'queued':
    case 'held':
    case 'trusted':
    case 'released':
      return { counts: false, group: life.group };
  }
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

/** Gives the task of a dead run to another node, as its next attempt unless that run never began. Changes nothing unless `dead` is still the run. */
export function takenOver(record: TaskRecord, dead: RunToken, claim: RunClaim): TaskRecord {
  if (!isRunBy(record, dead)) return record;
  const { attempt } = record.run;
  const { counts, group } = suspicionOf(record.run);
  const run = runOf(claim, { fence: record.version + 1, attempt: counts ? attempt + 1 : attempt });
  return { ...record, run: { ...run, ...(group ? { group } : {}), ...(wasTrusted(record.run) ? { wasAcquitted: true } : {}) } };
}

/** Holds a run that no further attempt follows: it begins when its turn has come. */
export function onLastTry(record: TaskRecord): TaskRecord {
  const { run } = record;
  return !run || run.probation === 'waiting' ? record : { ...record, run: { ...run, probation: 'waiting' } };
}

/**
 * Says of a run that waited that its body is entered now.
 * @param group on the last try, how many begin together, itself included
 */
export function begun(record: TaskRecord, group?: number): TaskRecord {
  const { run } = record;
  if (!run) return record;
  const { waiting, ...rest } = run;
  if (run.probation !== undefined) return { ...record, run: { ...rest, probation: 'begun', ...(group ? { group } : {}) } };
  return waiting ? { ...record, run: rest } : record;
}

/** Says of a last try that it ran for a time and its node still lives: a death is not held against it any more. */
export function trusted(record: TaskRecord): TaskRecord {
  const { run } = record;
  return !run || wasTrusted(run) ? record : { ...record, run: { ...run, probation: 'acquitted' } };
}

/** Says of a run that its node gave it up before it came to an end, through no fault of the task. It stays that node's until it is taken over. */
export function released(record: TaskRecord, token: RunToken, how: 'unbegun' | 'begun'): TaskRecord {
  return isRunBy(record, token) && !record.run.released ? { ...record, run: { ...record.run, released: how } } : record;
}
