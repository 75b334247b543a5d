import { ErrorCode, McpError } from '@mocapi/core';
import type { LedgerEntry } from '@mocapi/core/extension';
import type { ResolvedTasksOptions } from '../options/resolve-tasks-options.js';
import type { TaskRecordTooLargeError } from '../store/task-store.errors.js';

/** Bounds of what an attempt writes, in bytes. */
export type AttemptLimits = Pick<ResolvedTasksOptions['limits'], 'maxStepBytes' | 'maxLedgerBytes' | 'maxStatusMessageBytes'>;

/** The bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/**
 * Checks a step's result before it is recorded.
 * @returns the bytes of the ledger with it
 * @throws McpError naming the step and the limit
 */
export function assertStepFits(entry: LedgerEntry, { ledgerBytes, limits }: { ledgerBytes: number; limits: AttemptLimits }): number {
  const bytes = jsonBytes(entry.response ?? null);
  const { maxStepBytes, maxLedgerBytes } = limits;
  if (bytes > maxStepBytes) throw refusal(entry.key, `its result has ${bytes} bytes, but limits.maxStepBytes is ${maxStepBytes}`);
  const total = ledgerBytes + jsonBytes(entry);
  if (total > maxLedgerBytes)
    throw refusal(entry.key, `with it all steps and answers take ${total} bytes, but limits.maxLedgerBytes is ${maxLedgerBytes}`);
  return total;
}

/** A step that the store does not take. */
export function stepTooLarge(key: string, { bytes, maxBytes }: TaskRecordTooLargeError): McpError {
  return refusal(key, `with it the task takes ${bytes} bytes, but the store accepts ${maxBytes} (maxRecordBytes)`);
}

function refusal(key: string, problem: string): McpError {
  return new McpError(
    ErrorCode.InternalError,
    `Step "${key}" is too large: ${problem}. Return less, such as a key to data that is stored elsewhere`,
  );
}
