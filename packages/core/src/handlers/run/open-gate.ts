import type { MaybePromise } from '../../protocol/maybe-promise.js';
import type { Pass } from '../../replay/pass.js';
import type { HandlerCall } from './handler-call.js';

/**
 * Lets the body begin, once every parameter has arrived: if the call is to become a task at its start, it has become one then.
 * @throws ExecutionOverError when the pass is over, or its request or task was cancelled while it waited; what the admission throws
 */
export function openGate(call: HandlerCall, pass: Pass): MaybePromise<void> {
  pass.mustGoOn();
  if (call.execution.admission?.when !== 'start') {
    call.stage = 'body';
    return;
  }
  return pass.admit().then(() => {
    call.stage = 'body';
  });
}
