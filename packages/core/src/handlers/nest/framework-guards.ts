import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { whenReady, type MaybePromise } from '../../protocol/maybe-promise.js';

/** Where Nest's execution arguments hold the call. */
export const EXECUTION_INDEX = 3;

/** The call to which the framework's own guards report. */
export interface GuardedCall {
  /** The app's global guards have passed: the endpoint's guards run, which alone need the context, and the caller is settled. Throws to refuse. */
  enterEndpoint(context: () => ExecutionContext): MaybePromise<void>;
  /** Every guard has passed. Throws to refuse. */
  guardsPassed(): MaybePromise<void>;
}

const GUARDED = Symbol.for('@mocapi/core:GuardedCall');

/** Marks an object as what the framework's guards talk to. */
export abstract class Guarded implements GuardedCall {
  get [GUARDED](): true {
    return true;
  }

  /**
   * Whether the application's and the endpoint's guards have already passed, so that only those of class and method
   * run.
   */
  abstract readonly isInside: boolean;

  /** The guard that was asked last. */
  abstract guard: CanActivate | undefined;

  abstract enterEndpoint(context: () => ExecutionContext): MaybePromise<void>;
  abstract guardsPassed(): MaybePromise<void>;
}

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
