import { isThenable, type MaybePromise } from '../protocol/maybe-promise.js';
import type { Execution } from './execution.js';
import type { LedgerDrift } from './ledger-drift.js';
import { unwindingScopes } from './unwinding.js';

/** How the pipeline around a handler settled. */
export type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** A handler and everything around it, to be entered once. It loads the ledger and begins passes on its execution. */
export interface Pipeline<T, O> {
  enter(): MaybePromise<T>;
  /** The outcome of the execution, which has ended. Never throws or rejects. */
  outcomeOf(end: Settled<T>): MaybePromise<O>;
}

/**
 * Enters the pipeline of an execution and ends the execution with it. Whether the execution is suspended is asked of the execution, not of this.
 * @returns the outcome of how the pipeline settled, at once where it waits for nothing; an error that was decided takes precedence over both a value
 * and another error. It never throws or rejects
 */
export function settle<T, O>(execution: Execution, pipeline: Pipeline<T, O>): MaybePromise<O> {
  let end: Settled<T>;
  try {
    const running = execution.start.mayAsk === false ? pipeline.enter() : unwindingScopes.run(execution.scope, () => pipeline.enter());
    if (isThenable(running)) return whenSettled(execution, pipeline, running);
    end = { ok: true, value: running };
  } catch (error) {
    end = { ok: false, error };
  }
  return execution.suspended
    ? execution.drain().then(() => pipeline.outcomeOf(ended(execution, end)))
    : pipeline.outcomeOf(ended(execution, end));
}

async function whenSettled<T, O>(execution: Execution, pipeline: Pipeline<T, O>, running: Promise<T>): Promise<O> {
  let end: Settled<T>;
  try {
    const value = await new Promise<T>((resolve, reject) => {
      running.then(resolve, reject);
      if (execution.givenUp) reject(execution.givenUp.error);
      else execution.onGivenUp = reject;
    });
    end = { ok: true, value };
  } catch (error) {
    end = { ok: false, error };
  }
  // A pipeline that ended early, by a timeout say, leaves steps in flight: what they recorded must be in the ledger.
  if (execution.suspended) await execution.drain();
  return pipeline.outcomeOf(ended(execution, end));
}

function ended<T>(execution: Execution, end: Settled<T>): Settled<T> {
  execution.end();
  if (execution.start.onDrift) reportDrift(execution, execution.start.onDrift, end.ok);
  return execution.fault ? { ok: false, error: execution.fault.error } : end;
}

/** Reports differences from the ledger; entries that an execution did not reach because it was aborted are not differences. */
function reportDrift(execution: Execution, onDrift: (drift: LedgerDrift) => void, hasReturned: boolean): void {
  if (execution.stopped) return;
  const drift = execution.use?.drift(hasReturned && !execution.suspended && !execution.fault);
  if (drift) onDrift(drift);
}
