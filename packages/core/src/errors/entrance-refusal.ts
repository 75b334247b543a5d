import type { McpError } from './mcp.error.js';

const refusals = new WeakSet<object>();

/** Marks an error as a refusal at the entrance: it is the whole answer, with its HTTP status, on every leg. @returns the same error */
export function entranceRefusal(error: McpError): McpError {
  refusals.add(error);
  return error;
}

/** Whether an error was marked by {@link entranceRefusal}. */
export function isEntranceRefusal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && refusals.has(error);
}
