import { Logger } from '@nestjs/common';
import type { NodeMembership } from '../nodes/node-membership.js';
import type { CancelTimer, Clock } from '../store/clock.js';
import type { TaskKey } from '../store/task-key.js';
import type { TaskStore } from '../store/task-store.js';
import type { RunningAttempts } from './running-attempts.js';
import type { TaskAttempt } from './task-attempt.js';

/** Parts of the check. */
export interface RunCheckParts {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly nodes: NodeMembership;
  readonly running: RunningAttempts;
}

/** Time between two checks of all attempts. It varies by a fifth, so that the nodes don't all read the store at the same moment. */
const INTERVAL_MS = 10_000;
const JITTER = 0.2;
/** Records read at the same time. */
const AT_ONCE = 16;

/** Aborts attempts that have lost their task. Checks one when another node reports it, and all of them every 10 s, because a report may get lost. */
export class RunCheck {
  private readonly logger = new Logger('McpTasks');
  private cancelTimer: CancelTimer | undefined;
  private isStopped = false;
  /** Attempts that wait for a check, and the number of loops that check them. */
  private readonly due = new Set<TaskAttempt>();
  private workers = 0;

  constructor(private readonly parts: RunCheckParts) {}

  /** Starts the timer of the next check of all attempts. */
  start(): void {
    const { clock } = this.parts;
    const wait = INTERVAL_MS * (1 - JITTER + 2 * JITTER * Math.random());
    this.cancelTimer = clock.setTimer(() => void this.checkAll(), wait);
  }

  stop(): void {
    this.isStopped = true;
    this.cancelTimer?.();
  }

  /** Checks the attempt of one task, if it runs here or is about to. Never throws. */
  check(key: TaskKey): void {
    const attempt = this.parts.running.get(key);
    if (attempt) this.due.add(attempt);
    if (attempt && this.workers < AT_ONCE) void this.checkDue();
    this.parts.running.suspect(key);
  }

  private async checkAll(): Promise<void> {
    try {
      await this.parts.nodes.reconcile();
      const left = [...this.parts.running.all].filter(({ signal }) => !signal.aborted);
      const next = async (): Promise<void> => {
        for (let attempt = left.pop(); attempt; attempt = left.pop()) await this.checkAttempt(attempt);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, next));
    } catch (error) {
      this.logger.debug(`The tasks that run here could not be checked: ${String(error)}`);
    }
    if (!this.isStopped) this.start();
  }

  /** Checks attempts until none is due. Several loops may run: after a lost connection all attempts are due at once. */
  private async checkDue(): Promise<void> {
    this.workers += 1;
    for (const attempt of this.due) {
      this.due.delete(attempt);
      await this.checkAttempt(attempt);
    }
    this.workers -= 1;
  }

  private async checkAttempt(attempt: TaskAttempt): Promise<void> {
    const { store } = this.parts;
    try {
      attempt.abortIfLost(await store.view(attempt.key));
    } catch (error) {
      this.logger.debug(`A task that runs here could not be read: ${String(error)}`);
    }
  }
}
