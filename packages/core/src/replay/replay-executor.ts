import { Execution, type ExecutionStart } from './execution.js';
import type { ReplayOutcome } from './replay-outcome.js';
import { unwindingScopes } from './unwinding-scope.js';

/** Runs a handler once against a ledger and folds whatever happened into an outcome. Both carriers use it, and nothing else does. */
export class ReplayExecutor {
  /**
   * @param start what the execution starts from
   * @param run the handler's pipeline; it loads the ledger and begins passes on the execution it is given. Its promise is handled in the tick it is made.
   */
  async execute<T>(start: ExecutionStart, run: (execution: Execution) => Promise<T>): Promise<ReplayOutcome<T>> {
    const execution = new Execution(start);
    const running = unwindingScopes.run(execution.scope, () => run(execution));
    const settled = await Promise.race([running, execution.givenUp]).then(
      (value) => ({ ok: true as const, value }),
      (error: unknown) => ({ ok: false as const, error }),
    );
    // A pipeline that ended early, by a timeout say, leaves steps in flight: what they recorded must be in the ledger.
    if (execution.suspended) await execution.drain();
    execution.end();
    reportDrift(execution, start, settled.ok);
    const ledger = execution.ledger.snapshot();
    if (execution.fault) return { kind: 'failed', error: execution.fault.error, ledger };
    if (execution.suspended) return { kind: 'inputRequired', requests: execution.outstanding(), ledger };
    return settled.ok ? { kind: 'completed', value: settled.value, ledger } : { kind: 'failed', error: settled.error, ledger };
  }
}

/** What an execution did not reach because it was told to stop is no difference. */
function reportDrift(execution: Execution, { onDrift }: ExecutionStart, hasReturned: boolean): void {
  if (!onDrift || execution.stopped) return;
  const drift = execution.use.drift(hasReturned && !execution.suspended && !execution.fault);
  if (drift) onDrift(drift);
}
