import { ErrorCode, McpError, type CallToolResult } from '@mocapi/core';
import type { CallOutcome } from '@mocapi/core/extension';
import { resultMisfit, wireErrorOf } from '@mocapi/core/internal';
import type { RunToken, TaskRecord } from '../record/task-record.js';
import { completed, failed, inputRequired, isRunBy, withStatusMessage } from '../record/task-transitions.js';
import { cutToBytes } from './task-progress.js';

/** The end of an attempt, on its way into the record. */
export interface Settling {
  readonly token: RunToken;
  readonly outcome: CallOutcome;
  /** Reported, but not written yet. */
  readonly lastProgress: string | undefined;
  /** The most bytes that a status message may have. */
  readonly maxStatusMessageBytes: number;
}

/**
 * Makes the transition of an attempt's outcome, if the run is still its own. A result completes the task (MCP Tasks "Task status"), `isError` ones
 * included; a JSON-RPC error fails it, with the code a synchronous call would have had.
 */
export function settleOutcome(record: TaskRecord, { token, outcome, lastProgress, maxStatusMessageBytes }: Settling): TaskRecord {
  if (!isRunBy(record, token)) return record;
  const current = lastProgress === undefined ? record : withStatusMessage(record, lastProgress);
  let next: TaskRecord;
  switch (outcome.kind) {
    case 'completed':
      next = completed(current, outcome.result as CallToolResult);
      break;
    case 'inputRequired':
      next = inputRequired(current, outcome.requests, outcome.ledger);
      break;
    case 'failed':
      next = failed(current, wireErrorOf(outcome.error));
  }
  if (next.statusMessage === undefined) return next;
  const statusMessage = cutToBytes(next.statusMessage, maxStatusMessageBytes);
  return statusMessage === next.statusMessage ? next : { ...next, statusMessage };
}

/**
 * Checks an outcome on its way into a record: a result that no client could read becomes an internal error, and `log`
 * gets the reason. Questions were checked when they were asked.
 */
export function checkedOutcome(outcome: CallOutcome, log: (why: string) => void): CallOutcome {
  if (outcome.kind !== 'completed') return outcome;
  const misfit = resultMisfit('tools/call', outcome.result);
  if (misfit === undefined) return outcome;
  log(`The outcome of a task does not conform to the protocol: ${misfit}`);
  return { kind: 'failed', error: new McpError(ErrorCode.InternalError, 'Internal error') };
}
