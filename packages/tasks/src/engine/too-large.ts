import { invalidParams, type McpError } from '@mocapi/core';
import type { TaskRecordTooLargeError } from '../store/task-store.errors.js';

/** The refusal of what a client sent, which the task's record can't hold: trying again does not help. @param what the client has to make smaller */
export function tooLarge({ bytes, maxBytes }: TaskRecordTooLargeError, what: string): McpError {
  return invalidParams(`The task would take ${bytes} bytes with ${what}, but the limit is ${maxBytes}: send less`);
}
