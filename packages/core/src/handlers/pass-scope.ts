import { AsyncLocalStorage } from 'node:async_hooks';
import type { HandlerCall } from './handler-call.js';

/** Holds the call while it runs; emptied at its end, so that a timer made in a body cannot keep or see a call that is over. */
export interface CallHandle {
  call?: HandlerCall;
}

/** How the gate pipes and the parameters find the call they stand in. */
export const passScope = new AsyncLocalStorage<CallHandle>();

/** The call the caller stands in. @throws Error when the async context was lost, which must never let a body run */
export function currentCall(): HandlerCall {
  const call = passScope.getStore()?.call;
  if (!call) throw new Error('The async context of an MCP call was lost on the way to its handler');
  return call;
}
