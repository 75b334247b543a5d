import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { EXECUTION_INDEX, GUARDED, type Guarded, type GuardedCall } from '../run/mcp-execution.js';
import { whenReady } from '../../protocol/maybe-promise.js';

/**
 * The first guard of every tool class, put there at boot: settles who is calling before any guard of class or method runs, and so before
 * one of them could change it. The class may serve HTTP routes as well: it acts only where the arguments hold an MCP execution, whatever the type of the context.
 */
export const ENDPOINT_GUARD: CanActivate = {
  canActivate: (context) =>
    whenReady(
      callOf(context)?.enterEndpoint(() => context),
      () => true,
    ),
};

/** The last guard of every tool method, put there at boot: what throws before it is a denial. */
export const GUARDS_PASSED_GUARD: CanActivate = {
  canActivate: (context) => whenReady(callOf(context)?.guardsPassed(), () => true),
};

function callOf(context: ExecutionContext): GuardedCall | undefined {
  const call: unknown = context.getArgByIndex(EXECUTION_INDEX);
  return typeof call === 'object' && call !== null && GUARDED in call ? (call as Guarded) : undefined;
}
