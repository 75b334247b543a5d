import { runInThisContext } from 'node:vm';
import { isUnwinding, unwindingScopes } from './unwinding.js';

/** The guard of a process, for every copy of this package in it. */
interface UnwindingGuard {
  acquire(): void;
  release(): void;
}

const GUARD = Symbol.for('@mocapi/core:unwindingGuard');

/** The process itself, where its one guard is kept. A sandbox such as Jest's hands out a copy of it, which hears of no rejection. */
const host = runInThisContext('process') as NodeJS.Process & { [GUARD]?: UnwindingGuard };

/**
 * Keeps what unwinds a handler from ending the process. An async helper that asks is rejected when its execution ends, often before the body awaits it,
 * and Node takes a rejection that nobody awaits yet for a failure: without the guard, one call would end the server.
 *
 * The guard holds until the function it returns has been called as often as this one. It stands in front of `unhandledRejection` listeners rather than
 * among them, because a listener would change what Node does about every other rejection, and would not keep the app's own from ending
 * the process. Under `--unhandled-rejections=strict` Node raises the rejection as an uncaught exception first, where the guard stands too.
 */
export function guardUnwinding(): () => void {
  const guard = (host[GUARD] ??= createGuard());
  guard.acquire();
  let released = false;
  return () => {
    if (!released) guard.release();
    released = true;
  };
}

function createGuard(): UnwindingGuard {
  let holders = 0;
  let restore: (() => boolean) | undefined;
  return {
    acquire: () => {
      holders += 1;
      restore ??= swallow((...emitted) => holders > 0 && isRejection(emitted) && dropped(emitted[1]));
    },
    release: () => {
      holders -= 1;
      // Where somebody else stands in front by now it stays, lets everything through, and is used again next time.
      if (holders > 0 || !restore?.()) return;
      restore = undefined;
      delete host[GUARD];
    },
  };
}

/** Whether Node reports an unhandled rejection, whatever `--unhandled-rejections` is. */
function isRejection([event, , origin]: readonly unknown[]): boolean {
  if (event === 'unhandledRejection') return true;
  return (event === 'uncaughtException' || event === 'uncaughtExceptionMonitor') && origin === 'unhandledRejection';
}

/** Whether the rejection is part of unwinding a handler. Node reports it in the context in which it arose. */
function dropped(reason: unknown): boolean {
  if (isUnwinding(reason)) return true;
  const drop = unwindingScopes.getStore()?.drop;
  if (drop === undefined) return false;
  try {
    drop(reason);
  } catch {
    // What is thrown here would end the process.
  }
  return true;
}

/** Lets no listener of the process hear of what `ours` picks out; says, when undone, whether it could be. */
function swallow(ours: (...emitted: unknown[]) => boolean): () => boolean {
  const own = Object.getOwnPropertyDescriptor(host, 'emit');
  const emit = Reflect.get(host, 'emit') as (this: unknown, ...args: unknown[]) => boolean;
  const guarded = function (this: unknown, ...args: unknown[]): boolean {
    return ours(...args) || Reflect.apply(emit, this, args);
  };
  Object.defineProperty(host, 'emit', { value: guarded, writable: true, configurable: true, enumerable: own?.enumerable ?? false });
  return () => {
    if (host.emit !== guarded) return false;
    if (own) Object.defineProperty(host, 'emit', own);
    else Reflect.deleteProperty(host, 'emit');
    return true;
  };
}
