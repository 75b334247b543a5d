import { Inject, Injectable } from '@nestjs/common';
import { ErrorCode, invalidParams, type JsonObject, type JsonValue } from '@mocapi/core';
import {
  McpSeam,
  type DispatchContext,
  type HonouredTopic,
  type SubscriptionContributor,
  type SubscriptionSink,
  type TopicNotification,
} from '@mocapi/core/extension';
import { InjectRequired, ResolvedMcpOptions } from '@mocapi/core/internal';
import { TASKS_EXTENSION, TASKS_NOTIFICATION } from '../protocol/tasks-extension.js';
import { isAlive, isTerminal, type TaskView } from '../record/task-record.js';
import { failed } from '../record/task-transitions.js';
import { toDetailedTask } from '../record/task-views.js';
import { Clock } from '../store/clock.js';
import { isTaskId, type TaskKey, taskKeyOf } from '../store/task-key.js';
import { TaskStore } from '../store/task-store.js';
import { TaskFormatError } from '../store/task-store.errors.js';
import { TaskWatches } from './task-watches.js';

/** A task that its owner may watch, as it was when that was found out. */
interface OwnTask {
  readonly taskId: string;
  readonly key: TaskKey;
  readonly record: TaskView;
}

/**
 * The topic `taskIds` of `subscriptions/listen` (MCP Tasks "Task status notifications"): the state of each task right
 * after the acknowledgement, and again after each change, exactly as `tasks/get` would return it then. Ids that aren't
 * tasks of this caller are left out without an error. A task that has ended is no longer watched; for one that expires
 * the last state is `failed`, "Task expired". Without a change feed of the store the topic is not offered, because
 * polling is quicker then.
 */
@Injectable()
@McpSeam('subscription-contributor')
export class TaskSubscriptions implements SubscriptionContributor<readonly string[]> {
  readonly filterKey = 'taskIds';
  readonly requiredExtension = TASKS_EXTENSION;

  constructor(
    @Inject(TaskStore) private readonly store: TaskStore,
    @Inject(TaskWatches) private readonly watches: TaskWatches,
    @Inject(Clock) private readonly clock: Clock,
    @InjectRequired(ResolvedMcpOptions) private readonly server: ResolvedMcpOptions,
  ) {}

  parse(value: JsonValue): readonly string[] {
    if (Array.isArray(value) && value.every((taskId) => typeof taskId === 'string')) return value;
    throw invalidParams(`params.notifications.${this.filterKey} must be an array of task ids`);
  }

  async honour(taskIds: readonly string[], { principal, endpoint }: DispatchContext): Promise<HonouredTopic | undefined> {
    if (!this.store.changeFeed) return undefined;
    const possible = [...new Set(taskIds)].filter(isTaskId).slice(0, this.server.limits.maxWatched);
    const found = await Promise.all(possible.map((taskId) => this.find(taskId, taskKeyOf(principal, taskId, endpoint))));
    const own = found.filter((task) => task !== undefined);
    return { honoured: own.map(({ taskId }) => taskId), start: (sink) => this.start(own, sink) };
  }

  private async find(taskId: string, key: TaskKey): Promise<OwnTask | undefined> {
    const record = await this.store.view(key).catch(ifUnreadable);
    return record && { taskId, key, record };
  }

  private start(tasks: readonly OwnTask[], sink: SubscriptionSink): () => void {
    const leave = new Map<string, () => void>();
    for (const { taskId, key, record: found } of tasks) {
      const { version } = found;
      let last = found;
      let isOver = false;
      // Said once: an old state that a slow reader renders after the deadline has said it already.
      const lastWordOf = (record: TaskView): TopicNotification | undefined => {
        const word = isOver ? undefined : lastWord(record);
        isOver = true;
        return word;
      };
      const listener = (record: TaskView | undefined): void => {
        const readAt = this.clock.elapsed();
        last = record ?? last;
        const known = last;
        sink.emit(taskId, () => (record && this.isAlive(record, readAt) ? notificationOf(record) : lastWordOf(known)));
        if (record === undefined || isTerminal(record.status)) leave.get(taskId)?.();
      };
      leave.set(taskId, this.watches.watch(key, { from: version, listener }));
    }
    return () => {
      for (const end of leave.values()) end();
    };
  }

  // A slow reader may come to it late, when the task has expired. When it was read it had this long to live at most.
  private isAlive(record: TaskView, readAt: number): boolean {
    return isAlive(record, record.lastUpdatedAt + this.clock.elapsed() - readAt);
  }
}

/** One task of a newer version must not refuse the others of a subscription: it is not watched, and `tasks/get` says why. */
function ifUnreadable(error: unknown): undefined {
  if (!(error instanceof TaskFormatError)) throw error;
}

/** The last notification about a task that is gone: it failed, unless its end was sent before. After that `tasks/get` does not know it. */
function lastWord(record: TaskView): TopicNotification | undefined {
  if (isTerminal(record.status)) return undefined;
  return notificationOf(failed({ ...record, ledger: [] }, { code: ErrorCode.InternalError, message: 'Task expired' }));
}

function notificationOf(record: TaskView): TopicNotification {
  return { method: TASKS_NOTIFICATION, params: toDetailedTask(record) as unknown as JsonObject };
}
