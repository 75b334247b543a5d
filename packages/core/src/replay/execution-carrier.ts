import type { McpPrincipal } from '../envelope/principal.js';
import type { LogSink, ProgressSink } from '../notifications/sinks.js';
import type { AbortSource } from '../protocol/abort-source.js';
import type { LedgerEntry, LedgerSnapshot } from './ledger.js';

/** Keeps a step's result where it outlives the execution. */
export interface StepRecorder {
  /** Durable before it resolves; a rejection ends the execution. */
  record(entry: LedgerEntry): Promise<void>;
  /** Awaited before a step begins, unless it is undefined; a rejection ends the execution without the step. */
  before?(): Promise<void> | undefined;
}

/** The receiver of an execution's reports: the request it came with, or the task it became. */
export interface ExecutionCarrier {
  /** Aborting it aborts the execution's own signal, with the same reason. */
  readonly signal: AbortSource;
  readonly progress: ProgressSink;
  /** Absent where log messages have nowhere to go: in a task, or on a server that sends none. */
  readonly log?: LogSink;
  /** Absent on the wire carrier, whose ledger travels in the sealed token. */
  readonly recorder?: StepRecorder;
  /** Called once, when the execution reports to it no more: it is over, or became something else. What was held back goes out now. */
  readonly left?: () => void;
}

/** State that an execution hands over when it becomes something that outlives its request. */
export interface AdmissionState {
  readonly ledger: LedgerSnapshot;
  /** The caller; settled, whatever guards did to the request afterwards. */
  readonly principal: McpPrincipal | undefined;
}

/** The carrier of an admitted execution, and when it may run. */
export interface Admitted {
  readonly carrier: ExecutionCarrier;
  /** Resolves when a place to run is free; the gate opens after it. */
  readonly ready: Promise<void>;
}

/**
 * Turns an execution into something that outlives its request, at most once. `start`: after guards, pre-interceptors
 * and arguments, before the body. `manual`: where the body awaits `ctx.becomeTask()`. The supplier of the admission
 * may also trigger it at any other time, through `Execution.admit`: an execution is admitted once, however often that
 * is called.
 */
export interface Admission {
  readonly when: 'start' | 'manual';
  /** Durable before it resolves. A rejection is decided: it fails the call whatever interceptors make of it. */
  admit(state: AdmissionState): Promise<Admitted>;
}
