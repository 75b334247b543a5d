import type { McpPrincipal } from '../envelope/principal.js';
import type { Admission, ExecutionCarrier } from './execution-carrier.js';
import type { LedgerDrift } from './ledger-drift.js';
import type { UnheardListener } from './unheard-failures.js';

/** Start of an execution. */
export interface ExecutionStart {
  /** The request it came with, or the task whose attempt it is. */
  readonly carrier: ExecutionCarrier;
  readonly admission?: Admission | undefined;
  /** Who is calling, as it is settled when the execution is admitted. */
  readonly principal?: McpPrincipal | undefined;
  /**
   * Whether the handler may ask anything, so that its branches must be told apart from others while it unwinds.
   * @default true
   */
  readonly mayAsk?: boolean;
  /** Hears of calls that arrive too late to matter; for debugging. */
  readonly onLateCall?: (what: string) => void;
  /** Hears, once per execution, why a progress report was dropped. */
  readonly onDropped?: (why: string) => void;
  /** Called once for each step that failed although nothing awaits it. */
  readonly onUnheardFailure?: UnheardListener;
  /** Called with each rejection that nobody handles and that is kept from the process, since it arose while the handler was unwound. */
  readonly onUnheardBranch?: (reason: unknown) => void;
  /**
   * Called at the end, at most once, if the execution did not use its ledger as it was recorded. Not called if it was
   * aborted.
   */
  readonly onDrift?: (drift: LedgerDrift) => void;
}
