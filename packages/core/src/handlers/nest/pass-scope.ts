import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallPass } from '../run/run-pass.js';

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
