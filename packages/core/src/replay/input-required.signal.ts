import { hasBrand } from '../errors/thrown.js';

const BRAND = Symbol.for('@mocapi/core:InputRequiredSignal');

/**
 * Unwinds an execution that needs input, so that `finally` blocks run. It is never the truth about the outcome: what the execution
 * reached unanswered is. An interceptor that turns errors into values rethrows it (`isInputRequired`), or it would cache a fallback.
 */
export class InputRequiredSignal extends Error {
  constructor() {
    super('The execution ends here until its questions are answered');
    this.name = 'InputRequiredSignal';
  }

  get [BRAND](): true {
    return true;
  }
}

/** Whether `error` is the unwinding of an execution that needs input; such an error is to be rethrown. */
export function isInputRequired(error: unknown): boolean {
  return hasBrand(error, BRAND);
}
