import { isThenable, type MaybePromise } from '../protocol/maybe-promise.js';
import { Execution, type ExecutionStart } from './execution.js';
import type { ReplayOutcome } from './replay-outcome.js';
import { unwindingScopes } from './unwinding-scope.js';

/** How a pipeline settled. */
type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** Runs a handler once against a ledger and folds whatever happened into an outcome. Both carriers use it, and nothing else does. */
export class ReplayExecutor {
  /**
   * @param start what the execution starts from
   * @param run the handler's pipeline; it loads the ledger and begins passes on the execution it is given. Its promise is handled in the tick it is made.
   * @returns the outcome, at once where the pipeline waits for nothing. It never throws or rejects
   */
  execute<T>(start: ExecutionStart, run: (execution: Execution) => MaybePromise<T>): MaybePromise<ReplayOutcome<T>> {
    const execution = new Execution(start);
    let running: MaybePromise<T>;
    try {
      running = start.mayAsk === false ? run(execution) : unwindingScopes.run(execution.scope, run, execution);
    } catch (error) {
      return finished(execution, start, { ok: false, error });
    }
    if (!isThenable(running)) return finished(execution, start, { ok: true, value: running });
    return settled(execution, running).then((end) => finished(execution, start, end));
  }
}

/** How the pipeline settles, or that its body is given up. */
function settled<T>(execution: Execution, running: Promise<T>): Promise<Settled<T>> {
  return new Promise((resolve) => {
    const fail = (error: unknown): void => resolve({ ok: false, error });
    running.then((value) => resolve({ ok: true, value }), fail);
    execution.onGivenUp(fail);
  });
}

/** Ends the execution. A pipeline that ended early, by a timeout say, leaves steps in flight: what they recorded must be in the ledger. */
function finished<T>(execution: Execution, start: ExecutionStart, end: Settled<T>): MaybePromise<ReplayOutcome<T>> {
  return execution.suspended ? execution.drain().then(() => outcomeOf(execution, start, end)) : outcomeOf(execution, start, end);
}

function outcomeOf<T>(execution: Execution, start: ExecutionStart, end: Settled<T>): ReplayOutcome<T> {
  execution.end();
  reportDrift(execution, start, end.ok);
  const ledger = execution.snapshot();
  if (execution.fault) return { kind: 'failed', error: execution.fault.error, ledger };
  if (execution.suspended) return { kind: 'inputRequired', requests: execution.outstanding(), ledger };
  return end.ok ? { kind: 'completed', value: end.value, ledger } : { kind: 'failed', error: end.error, ledger };
}

/** Reports differences from the ledger; entries that an execution did not reach because it was aborted are not differences. */
function reportDrift(execution: Execution, start: ExecutionStart, hasReturned: boolean): void {
  if (!start.onDrift || execution.stopped) return;
  const drift = execution.drift(hasReturned && !execution.suspended && !execution.fault);
  if (drift) start.onDrift(drift);
}
