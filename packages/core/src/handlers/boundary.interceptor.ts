import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { EMPTY, defer, lastValueFrom, type Observable, type ObservableInput } from 'rxjs';
import { InputRequiredSignal } from '../replay/input-required.signal.js';
import { macrotask } from '../replay/pending-window.js';
import { HandlerCall } from './handler-call.js';
import { EXECUTION_INDEX } from './framework-guards.js';
import { passScope, type PassHandle } from './pass-scope.js';

/** From this re-subscription on a suspended handler completes empty: a bare `retry()` would otherwise never let go. */
const EMPTY_FROM = 4;

/**
 * The innermost interceptor of every handler, appended at boot; one for all of them, without state. Each subscription begins a pass, and
 * suspension is decided here, before any interceptor of the author can touch it: outward it fails, so that a transaction rolls back.
 */
export const BOUNDARY: NestInterceptor = {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const call = context.getArgByIndex<unknown>(EXECUTION_INDEX);
    if (!(call instanceof HandlerCall)) return next.handle();
    return defer(() => (call.execution.suspended ? resubscribed(call) : call.running(runPass(call, next))));
  },
};

/** The body is never entered again in an execution that has suspended. */
function resubscribed(call: HandlerCall): ObservableInput<unknown> {
  call.resubscriptions += 1;
  if (call.resubscriptions >= EMPTY_FROM) return EMPTY;
  return macrotask().then(() => Promise.reject(new InputRequiredSignal()));
}

async function runPass(call: HandlerCall, next: CallHandler): Promise<unknown> {
  const { execution } = call;
  call.loadLedger();
  const pass = execution.beginPass();
  call.stage = 'arguments';
  const handle: PassHandle = { current: { call, pass } };
  try {
    return await passScope.run(handle, () =>
      call.strata.run(['validation', 'invocation'], call, () => lastValueFrom(next.handle(), { defaultValue: undefined })),
    );
  } catch (error) {
    if (pass.hasRefused(error)) execution.fail(error);
    throw error;
  } finally {
    pass.bodyHasSettled();
    delete handle.current;
    if (execution.suspended) {
      await execution.drain();
      // Whatever the body made of it, suspension is what happened; a value or an error of its own is dropped.
      // eslint-disable-next-line no-unsafe-finally
      throw new InputRequiredSignal();
    }
  }
}
