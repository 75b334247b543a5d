import type { ErrorCode } from '@mocapi/core';
import type { RunClaim, TaskRecord } from './task-record.js';
import { neverBegan, onLastTry, takenOver } from './run-life.js';
import { failed } from './task-transitions.js';

/** JSON-RPC's: nothing that the client sent is wrong. */
const INTERNAL_ERROR: typeof ErrorCode.InternalError = -32603;

/** Decision about a task whose node died. */
export interface OrphanPolicy {
  readonly recover: 'replay' | 'fail';
  /** Attempts that a task may have, the first included. */
  readonly maxAttempts: number;
}

/**
 * Changes the record of a task that a dead session ran: makes it this node's next attempt, or fails it. Changes nothing
 * unless that session still owns the run, so of several nodes one wins: the one whose `claim.id` stands in `run.id`,
 * unless the task failed.
 * @param policyOf undefined for a task that this node knows no tool for, which is left as it is
 */
export function claimOrphan(
  record: TaskRecord,
  { session, claim, policyOf }: { session: string; claim: RunClaim; policyOf: (record: TaskRecord) => OrphanPolicy | undefined },
): TaskRecord {
  if (record.status !== 'working' || record.run?.owner !== session) return record;
  const policy = policyOf(record);
  if (!policy) return record;
  // What never began may begin, whatever its tool may not do twice.
  if (policy.recover === 'fail' && !neverBegan(record.run)) return failed(record, interruption('Task interrupted'));
  const next = takenOver(record, record.run, claim);
  const { attempt } = next.run!;
  if (attempt > record.run.attempt && attempt > policy.maxAttempts) return failed(record, interruption('Task interrupted too many times'));
  // Those that ran beside the one which their nodes die of must not fail with it: the last attempts begin in groups that get smaller.
  return attempt > 1 && attempt >= policy.maxAttempts ? onLastTry(next) : next;
}

function interruption(message: string): { code: number; message: string } {
  return { code: INTERNAL_ERROR, message };
}
