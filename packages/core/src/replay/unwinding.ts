import { hasBrand } from '../errors/thrown.js';
import { isInputRequired } from './input-required.signal.js';

/** Stands on every error by which the framework ends an execution or refuses a `ctx` call. */
export const UNWINDING = Symbol.for('@mocapi/core:unwinding');

/** Marks an error that a `ctx` call is refused with; the same error, and nothing of the mark shows. */
export function asUnwinding<E>(error: E): E {
  // Not by assignment: a frozen error stays without the mark instead of failing here.
  if (typeof error === 'object' && error !== null) Reflect.defineProperty(error, UNWINDING, { value: true, configurable: true });
  return error;
}

/** Whether the framework, whichever copy of it, has unwound a handler with this, so that it is no failure of anybody's. */
export function isUnwinding(reason: unknown): boolean {
  return isInputRequired(reason) || hasBrand(reason, UNWINDING);
}
