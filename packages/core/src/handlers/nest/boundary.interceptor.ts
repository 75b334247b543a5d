import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { EMPTY, defer, lastValueFrom, type Observable, type ObservableInput } from 'rxjs';
import { InputRequiredSignal } from '../../replay/unwinding.js';
import { promiseOf } from '../../protocol/maybe-promise.js';
import { macrotask } from '../../replay/pending-window.js';
import { HandlerCall } from '../run/handler-call.js';
import { EXECUTION_INDEX } from '../run/mcp-execution.js';
import { runPass, type CallPass } from '../run/run-pass.js';
import { AsyncLocalStorage } from 'node:async_hooks';

/** Holds a pass while it runs; emptied at its end, so that a timer made in a body cannot keep or see a call that is over. */
export interface PassHandle {
  current?: CallPass;
}

/** How the gate pipes and the parameters find the pass they stand in. */
export const passScope = new AsyncLocalStorage<PassHandle>();

/** The pass the caller stands in. @throws Error when the async context was lost, which must never let a body run */
export function currentPass(): CallPass {
  const current = passScope.getStore()?.current;
  if (!current) throw new Error('The async context of an MCP call was lost before its handler ran');
  return current;
}

/** From this re-subscription on a suspended handler completes empty: a bare `retry()` would otherwise never let go. */
const EMPTY_FROM = 4;

/**
 * The innermost interceptor of every handler that Nest runs, appended at boot; one for all of them, without state. Each subscription begins a pass.
 */
export const BOUNDARY: NestInterceptor = {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const call = context.getArgByIndex<unknown>(EXECUTION_INDEX);
    if (!(call instanceof HandlerCall)) return next.handle();
    return defer(() => resubscribed(call) ?? promiseOf(() => runPass(call, { body: (current) => inScope({ current }, next) })));
  },
};

/**
 * The stream that a suspended execution returns to a second subscriber: its body never starts again. Undefined if it
 * has not suspended.
 */
export function resubscribed(call: HandlerCall): ObservableInput<never> | undefined {
  if (!call.execution.suspended) return undefined;
  call.resubscriptions += 1;
  if (call.resubscriptions >= EMPTY_FROM) return EMPTY;
  return macrotask().then(() => Promise.reject(new InputRequiredSignal()));
}

/** Nest's parameters and pipes find the pass by the async context. */
async function inScope(handle: PassHandle, next: CallHandler): Promise<unknown> {
  try {
    return await passScope.run(handle, () => lastValueFrom(next.handle() as Observable<unknown>, { defaultValue: undefined }));
  } finally {
    delete handle.current;
  }
}
