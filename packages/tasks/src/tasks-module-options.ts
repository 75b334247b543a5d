import type { DynamicModule, ForwardReference, Provider, Type } from '@nestjs/common';
import type { DurationOption } from '@mocapi/core';
import type { GuardsOnTakeover } from './decorators/mcp-task.decorator.js';

/** Options of `McpTasksModule.forRoot`; every option has a default. Durations are ISO-8601 or milliseconds. */
export interface McpTasksModuleOptions {
  /** How long a task can be read, counted from its creation. @default 'PT1H' */
  readonly ttl?: DurationOption;
  /** How often clients are asked to poll. @default 'PT2S' */
  readonly pollInterval?: DurationOption;
  /** How often the in-memory store removes what has expired. @default 'PT1M' */
  readonly sweepInterval?: DurationOption;
  /** How long a body that ignores its cancelled signal keeps its slot. @default 'PT10S' */
  readonly abandonAfter?: DurationOption;
  /**
   * How long this node may be silent before the other nodes take over its tasks. It renews its lease five times in this time. A body that blocks the
   * event loop for longer loses its task. Use the same value on all nodes that share a store. @default 'PT15S'
   */
  readonly lease?: DurationOption;
  /**
   * How long shutdown waits for bodies of tasks with `recover: 'fail'`, which no other node can continue, before it
   * aborts them. All others are aborted at once, and another node takes them over.
   * @default 'PT2S'
   */
  readonly drain?: DurationOption;
  /** How many times a task may begin without reaching a question or an end before it fails, because it may be what kills its nodes. @default 3 */
  readonly maxAttempts?: number;
  /**
   * Whether guards run when another node takes a task over, unless `@McpTask` sets it. `skip` runs none: the caller
   * was checked when the task was created and at each answer. `run` runs them as the stored principal. Nobody is
   * calling then, so they see a stand-in for the request with empty headers, and a guard that reads a token denies and
   * fails the task.
   * @default 'skip'
   */
  readonly guardsOnTakeover?: GuardsOnTakeover;
  readonly limits?: McpTasksLimits;
}

/** Limits on what runs and is stored. */
export interface McpTasksLimits {
  /** Attempts that run at once on this node. @default 64 */
  readonly maxRunning?: number;
  /** Attempts that wait for a slot; beyond it a call is answered -32603 with `data.retryAfterMs` and nothing is stored. @default 10000 */
  readonly maxQueued?: number;
  /**
   * Attempts of one caller that run or wait on this node; beyond it their next call, or the answer that would continue a task, is rejected in the same
   * way. Other callers are not affected. Anonymous callers count by their address. @default 1000
   */
  readonly maxActivePerPrincipal?: number;
  /**
   * Bodies that still run after they were aborted and lost their slot; beyond it new tasks are rejected.
   * @default maxRunning
   */
  readonly maxAbandoned?: number;
  /**
   * The same bodies of one caller; beyond it their calls are rejected, and their waiting attempts do not start until a body has ended. Other callers are not affected.
   * Anonymous callers count by their address. @default a quarter of maxAbandoned
   */
  readonly maxAbandonedPerPrincipal?: number;
  /** Stored tasks of one caller, those that have ended included, in every store. @default 10000; in memory at most a tenth of maxRecords */
  readonly maxStoredPerPrincipal?: number;
  /** Bytes of a task's record as JSON, in every store. @default 4194304 (4 MiB) */
  readonly maxRecordBytes?: number;
  /** Bytes of what all steps and answers of a task take in its record. @default 2097152 (2 MiB) */
  readonly maxLedgerBytes?: number;
  /** Bytes of one step's result as JSON. @default 1048576 (1 MiB) */
  readonly maxStepBytes?: number;
  /** Bytes of a task's status message, which shows its progress; a longer one is cut. @default 4096 */
  readonly maxStatusMessageBytes?: number;
  /** Records in the in-memory store. @default 100000 */
  readonly maxRecords?: number;
  /** Bytes of memory that the records of the in-memory store may take, roughly. @default an eighth of the heap that the process may use */
  readonly maxBytes?: number;
  /** The same for the records of one caller. @default a quarter of maxBytes */
  readonly maxBytesPerPrincipal?: number;
}

/** How the module is composed. */
export interface McpTasksModuleComposition {
  /**
   * The endpoint whose tools may become tasks. Each endpoint has its own tasks, which no other endpoint can see.
   * @default 'root'
   */
  readonly endpoint?: string;
  readonly imports?: readonly (Type | DynamicModule | Promise<DynamicModule> | ForwardReference)[];
  /** Appended to the module's own list: the last provider of a token wins. Put another `TaskStore` here. */
  readonly providers?: readonly Provider[];
}
