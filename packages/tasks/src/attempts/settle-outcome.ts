import { ErrorCode, McpError, type CallToolResult } from '@mocapi/core';
import type { CallOutcome } from '@mocapi/core/extension';
import { resultMisfit, wireErrorOf } from '@mocapi/core/internal';
import type { TaskRecord } from '../record/task-record.js';
import { completed, failed, inputRequired, withStatusMessage } from '../record/task-transitions.js';

/**
 * The transition that an execution's outcome makes (MCP Tasks "Task status"): a result completes the task, `isError` ones included;
 * a JSON-RPC error fails it, with the code a synchronous call would have had.
 * @param lastProgress reported, but not written yet
 */
export function settleOutcome(outcome: CallOutcome, lastProgress: string | undefined): (record: TaskRecord) => TaskRecord {
  return (record) => {
    const current = lastProgress === undefined ? record : withStatusMessage(record, lastProgress);
    switch (outcome.kind) {
      case 'completed':
        return completed(current, outcome.result as CallToolResult);
      case 'inputRequired':
        return inputRequired(current, outcome.requests, outcome.ledger);
      case 'failed':
        return failed(current, wireErrorOf(outcome.error));
    }
  };
}

/**
 * Checks an outcome on its way into a record: one that no client could read becomes an internal error, and `log` gets
 * the reason.
 */
export function checkedOutcome(outcome: CallOutcome, log: (why: string) => void): CallOutcome {
  const misfit = misfitOf(outcome);
  if (misfit === undefined) return outcome;
  log(`The outcome of a task does not conform to the protocol: ${misfit}`);
  return { kind: 'failed', error: new McpError(ErrorCode.InternalError, 'Internal error') };
}

function misfitOf(outcome: CallOutcome): string | undefined {
  switch (outcome.kind) {
    case 'completed':
      return resultMisfit('tools/call', outcome.result);
    case 'inputRequired':
      return resultMisfit('tools/call', { resultType: 'input_required', inputRequests: outcome.requests });
    case 'failed':
      return undefined;
  }
}
