import { AsyncLocalStorage } from 'node:async_hooks';
import { runInThisContext } from 'node:vm';

/**
 * Stands for one execution in everything that it starts. `drop` is there while the body unwinds: whatever the body makes of that is dropped,
 * and so is the rejection of a branch that nobody awaits, an error of the author's own included. It hears of each.
 */
export interface UnwindingScope {
  drop?: ((reason: unknown) => void) | undefined;
}

const SCOPES = Symbol.for('@mocapi/core:unwindingScopes');

/** Kept by the process, since one guard stands there for every copy of this package. */
const host = runInThisContext('process') as NodeJS.Process & { [SCOPES]?: AsyncLocalStorage<UnwindingScope> };

/** Tells the guard in whose execution a promise was rejected. */
export const unwindingScopes = (host[SCOPES] ??= new AsyncLocalStorage<UnwindingScope>());
