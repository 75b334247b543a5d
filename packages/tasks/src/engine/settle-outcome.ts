import { wireErrorOf, type ToolOutcome } from '@mocapi/core';
import type { TaskRecord } from '../record/task-record.js';
import { completed, failed, inputRequired, withStatusMessage } from '../record/task-transitions.js';

/**
 * The transition that an execution's outcome makes (MCP Tasks "Task status"): a result completes the task, `isError` ones included;
 * a JSON-RPC error fails it, with the code a synchronous call would have had.
 * @param lastProgress reported, but not written yet
 */
export function settleOutcome(outcome: ToolOutcome, lastProgress: string | undefined): (record: TaskRecord) => TaskRecord {
  return (record) => {
    const current = lastProgress === undefined ? record : withStatusMessage(record, lastProgress);
    switch (outcome.kind) {
      case 'completed':
        return completed(current, outcome.result);
      case 'inputRequired':
        return inputRequired(current, outcome.requests, outcome.ledger);
      case 'failed':
        return failed(current, wireErrorOf(outcome.error));
    }
  };
}
