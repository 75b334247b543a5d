import { Logger } from '@nestjs/common';
import type { TaskView } from '../record/task-record.js';
import { taskKeyOf } from '../store/task-key.js';
import type { TaskRunIndex } from '../store/task-run-index.js';
import type { SessionRoster } from './session-roster.js';

/** Parts of the search for lost runs. */
export interface LostRunsParts {
  readonly index: TaskRunIndex;
  readonly roster: Pick<SessionRoster, 'isGone'>;
  /** Called when there is something to take over. */
  found(): void;
}

/**
 * Finds running tasks for which no node would ever look: a claim may be written after its node was considered dead and
 * all its entries were forgotten. Such a task is registered under its dead session again, for the next node that
 * looks.
 */
export class LostRuns {
  private readonly logger = new Logger('McpTasks');

  constructor(private readonly parts: LostRunsParts) {}

  /** Checks in the background whether the node of a task that was just read is dead; if so, the task is registered again. Never throws. */
  tend(record: TaskView): void {
    if (record.status !== 'working' || record.run === undefined) return;
    this.repair(record, record.run.owner).catch((error: unknown) =>
      this.logger.debug(`Could not check whether the node of a task is dead: ${String(error)}`),
    );
  }

  private async repair({ principal, taskId, endpoint }: TaskView, owner: string): Promise<void> {
    const { index, roster } = this.parts;
    if (!(await roster.isGone(owner))) return;
    await index.markRunning(owner, taskKeyOf(principal, taskId, endpoint));
    this.parts.found();
  }
}
