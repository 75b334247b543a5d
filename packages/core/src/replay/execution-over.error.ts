import { UNWINDING } from './unwinding.js';

/** A `ctx` call of an execution that is over: suspended, cancelled, timed out, or superseded by a retry. */
export class ExecutionOverError extends Error {
  constructor(reason = 'This execution is over; its context can no longer be used') {
    super(reason);
    this.name = 'ExecutionOverError';
  }

  get [UNWINDING](): true {
    return true;
  }
}
