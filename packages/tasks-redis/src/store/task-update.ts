import { assertTtl, frozenRecord, mutated, type TaskKey, type TaskMutation, type TaskRecord } from '@mocapi/tasks';
import { backOff } from '../commands/backoff.js';
import { unavailable } from '../commands/redis-commands.js';
import type { RecentTasks } from './recent-tasks.js';
import type { StoredTask } from './stored-task.js';
import type { StoredTasks, WriteOutcome } from './stored-tasks.js';

/** Parts of an update. */
export interface TaskUpdateParts {
  readonly tasks: StoredTasks;
  readonly recent: RecentTasks;
  readonly allowUnlimitedTtl: boolean;
  readonly key: TaskKey;
  readonly mutate: TaskMutation;
  /** When it is tried no more, by `performance.now()`. */
  readonly giveUpAt: number;
}

const LONGEST_PAUSE_MS = 64;

/** One call of `update`: reads, mutates and writes, again for as long as somebody else is quicker. */
export class TaskUpdate {
  constructor(private readonly parts: TaskUpdateParts) {}

  /**
   * Resolves to the record as it then is, or to undefined if there is none.
   * @throws what the mutation throws, TaskStoreUnavailableError when it was tried for too long, and what reading and writing throw
   */
  async run(): Promise<TaskRecord | undefined> {
    const { tasks, recent, key, giveUpAt } = this.parts;
    // The writers before it may have used up its time.
    if (performance.now() >= giveUpAt) throw unavailable();
    const guess = recent.get(key);
    const next = guess && this.guessed(guess.record);
    if (!guess || !next) return this.from(await tasks.read(key));
    const outcome = await this.replace(guess, next);
    return outcome.kind === 'conflict' ? this.from(outcome.task) : recordOf(outcome);
  }

  private async from(stored: StoredTask | undefined): Promise<TaskRecord | undefined> {
    const { recent, key, giveUpAt } = this.parts;
    let base = stored;
    for (let round = 0; base !== undefined; round++) {
      const next = this.next(base.record);
      if (next === base.record) return next;
      const outcome = await this.replace(base, next);
      if (outcome.kind !== 'conflict') return recordOf(outcome);
      if (performance.now() >= giveUpAt) throw unavailable();
      await backOff(round, LONGEST_PAUSE_MS);
      base = outcome.task;
    }
    recent.forget(key);
    return undefined;
  }

  private async replace(base: StoredTask, next: TaskRecord): Promise<WriteOutcome> {
    const { tasks, recent, key, giveUpAt } = this.parts;
    const sentAt = recent.now();
    const outcome = await tasks.replace({ key, base, next, giveUpAt });
    if (outcome.kind === 'written') recent.note(key, outcome.task, sentAt);
    if (outcome.kind === 'gone') recent.forget(key);
    return outcome;
  }

  /**
   * The next record, if the stored one is still `guess`. If nothing changes, or the mutation refuses, the reason may
   * be its age: the stored record decides.
   */
  private guessed(guess: TaskRecord): TaskRecord | undefined {
    try {
      const next = this.next(guess);
      return next === guess ? undefined : next;
    } catch {
      return undefined;
    }
  }

  private next(current: TaskRecord): TaskRecord {
    const next = mutated(current, this.parts.mutate);
    if (next === current) return current;
    assertTtl(next.ttlMs, this.parts.allowUnlimitedTtl);
    const { createdAt, lastUpdatedAt, version } = current;
    return frozenRecord(next, { createdAt, lastUpdatedAt, version: version + 1 }, { previous: current });
  }
}

function recordOf(outcome: Exclude<WriteOutcome, { kind: 'conflict' }>): TaskRecord | undefined {
  return outcome.kind === 'written' ? outcome.task.record : undefined;
}
