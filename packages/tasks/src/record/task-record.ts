import type { CallToolResult, ClientCapabilities, Implementation, JsonObject, McpPrincipal } from '@mocapi/core';
import type { InputRequests, LedgerSnapshot, TraceContext, WireError } from '@mocapi/core/extension';
import type { TaskStatus } from '../protocol/task-wire.js';

export type { TaskStatus } from '../protocol/task-wire.js';

/** A status that nothing leaves. */
export type TerminalTaskStatus = Extract<TaskStatus, 'completed' | 'failed' | 'cancelled'>;

/** Every status, in the order a task may pass them. */
export const TASK_STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const satisfies readonly TaskStatus[];

/** Whether nothing leaves `status`. */
export function isTerminal(status: TaskStatus): status is TerminalTaskStatus {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** The run that holds a task at work: who executes it, and how often that was tried. A parked or finished task has none. */
export interface TaskRun {
  /** Which node executes: its session in the run index. */
  readonly owner: string;
  /** The version of the write that began this run, hence greater than the fence of every earlier one. */
  readonly fence: number;
  /** Counts the attempts since the task was created or last answered: 1, then one more for each takeover from a node that died. */
  readonly attempt: number;
  /** Stamp of the write that began this run. Whoever chose it reads here whether it won. */
  readonly id: string;
  /**
   * Its node released it on purpose, before the body started or in the middle of it: the node that takes it over does
   * not count it as an attempt.
   */
  readonly released?: 'unbegun' | 'begun';
  /** The body of this run waits for a slot: nothing of it has begun. Absent once it has, and for a body that begins at once. */
  readonly waiting?: true;
  /** It is the last try that the task may have, and begins only when its turn has come. */
  readonly probation?: Probation;
  /**
   * On the last try: how many suspects begin together. While it waits, the most it may begin with, itself included
   * (absent: half of those that wait with it); from then on, how many began with it. A record of an older release that
   * tried one at a time has none.
   */
  readonly group?: number;
  /** A former run of these attempts was trusted. */
  readonly wasAcquitted?: true;
}

/**
 * Stored state of a task's last try, which may be what its nodes die of: `waiting` for its turn, `begun`, `acquitted`
 * when it is trusted, since it has run for a time and its node lives. See `lifeOf`.
 */
export type Probation = 'waiting' | 'begun' | 'acquitted';

/** Proof of an attempt that a write is its own. */
export type RunToken = Pick<TaskRun, 'id' | 'fence'>;

/** A node's claim to begin a run. The rest follows from the record. */
export type RunClaim = Pick<TaskRun, 'owner' | 'id' | 'waiting'>;

/**
 * All there is to a task. Plain JSON, never changed in place: a transition returns another record.
 * An absent member is absent, never `undefined` or null, unless its type says so.
 */
export interface TaskRecord {
  readonly taskId: string;
  /** Which tool to run again. */
  readonly toolName: string;
  /** Which version of the handler the ledger belongs to. */
  readonly handlerVersion: string;
  readonly arguments: JsonObject;
  /** Who created it; absent for an anonymous caller. */
  readonly principal?: McpPrincipal;
  /** Of an anonymous creator: a digest of the address that it called from, which the limits by caller count by; see `originOf`. */
  readonly origin?: string;
  /** The endpoint that created the task, which alone knows it; absent for the application's own. */
  readonly endpoint?: string;
  /** Of the creating request, as are the three below. */
  readonly protocolVersion: string;
  /** Capabilities of the client: they decide what may be asked, in every execution. */
  readonly clientCapabilities: ClientCapabilities;
  readonly clientInfo?: Implementation;
  readonly traceContext?: TraceContext;
  readonly status: TaskStatus;
  /** For people. The last writer wins. */
  readonly statusMessage?: string;
  /** Epoch milliseconds by the store's clock, as is `lastUpdatedAt`. Both are the store's to set. */
  readonly createdAt: number;
  readonly lastUpdatedAt: number;
  /** From `createdAt`; null is unlimited. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
  /** Questions, answers and steps. They outlive the task's end, to explain the result. */
  readonly ledger: LedgerSnapshot;
  /** The open questions; present exactly while `input_required`. */
  readonly inputRequests?: InputRequests;
  /** Present exactly when `completed`. */
  readonly result?: CallToolResult;
  /** Present exactly when `failed`. */
  readonly error?: WireError;
  /** Present only while `working`. */
  readonly run?: TaskRun;
  /** 1 at creation, one more for each committed change. The store's to set. */
  readonly version: number;
}

/** All of a task but its ledger: the state that clients see, and who runs it. */
export type TaskView = Omit<TaskRecord, 'ledger'>;

/** A task as its creator supplies it; the store adds the rest. */
export type TaskDraft = Omit<TaskRecord, 'createdAt' | 'lastUpdatedAt' | 'version'>;

/** The run of a task whose creator continues as its first attempt. */
export function firstRun(claim: RunClaim): TaskRun {
  return runOf(claim);
}

/** The creating write is version 1. */
const FIRST: Pick<TaskRun, 'fence' | 'attempt'> = { fence: 1, attempt: 1 };

/** The run that a claim begins; by default the first of a task. */
export function runOf({ owner, id, waiting }: RunClaim, { fence, attempt } = FIRST): TaskRun {
  return { owner, fence, attempt, id, ...(waiting ? { waiting } : {}) };
}

/** The last millisecond of a task's life; null if it has no end. */
export function deadlineOf(record: Pick<TaskRecord, 'createdAt' | 'ttlMs'>): number | null {
  return record.ttlMs === null ? null : record.createdAt + record.ttlMs;
}

/** Whether the task may be read and changed. At its very deadline it still may. */
export function isAlive(record: Pick<TaskRecord, 'createdAt' | 'ttlMs'>, now: number): boolean {
  return record.ttlMs === null || now <= record.createdAt + record.ttlMs;
}

type Caller = { readonly [K in 'principal' | 'origin']?: TaskRecord[K] | undefined };

/**
 * Whom a task counts against in every limit by caller: its principal; without one the address that it was created from; without an address all
 * anonymous callers together. No principal's id can be the account of an anonymous caller.
 */
export function accountOf({ principal, origin }: Caller): string {
  if (principal) return `principal ${principal.id}`;
  return origin === undefined ? 'anonymous' : `origin ${origin}`;
}
