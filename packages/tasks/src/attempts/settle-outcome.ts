import { ErrorCode, McpError, type CallToolResult } from '@mocapi/core';
import type { CallOutcome } from '@mocapi/core/extension';
import { resultMisfit, wireErrorOf } from '@mocapi/core/internal';
import type { TaskRecord } from '../record/task-record.js';
import { completed, failed, inputRequired, withStatusMessage } from '../record/task-transitions.js';

/**
 * Makes the transition of an execution's outcome (MCP Tasks "Task status"): a result completes the task, `isError` ones included;
 * a JSON-RPC error fails it, with the code a synchronous call would have had.
 * @param lastProgress reported, but not written yet
 */
export function settleOutcome(record: TaskRecord, outcome: CallOutcome, lastProgress: string | undefined): TaskRecord {
  const current = lastProgress === undefined ? record : withStatusMessage(record, lastProgress);
  switch (outcome.kind) {
    case 'completed':
      return completed(current, outcome.result as CallToolResult);
    case 'inputRequired':
      return inputRequired(current, outcome.requests, outcome.ledger);
    case 'failed':
      return failed(current, wireErrorOf(outcome.error));
  }
}

/**
 * Checks an outcome on its way into a record: one that no client could read becomes an internal error, and `log` gets
 * the reason.
 */
export function checkedOutcome(outcome: CallOutcome, log: (why: string) => void): CallOutcome {
  if (outcome.kind === 'failed') return outcome;
  const result = outcome.kind === 'completed' ? outcome.result : { resultType: 'input_required', inputRequests: outcome.requests };
  const misfit = resultMisfit('tools/call', result);
  if (misfit === undefined) return outcome;
  log(`The outcome of a task does not conform to the protocol: ${misfit}`);
  return { kind: 'failed', error: new McpError(ErrorCode.InternalError, 'Internal error') };
}
