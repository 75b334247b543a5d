import {
  type TaskDraft,
  TaskStoreFullError,
  taskKeyOf,
  type TaskKey,
  type TaskMutation,
  type TaskRecord,
  type TaskStore,
} from '@mocapi/tasks';
import { sampleDraft } from '@mocapi/testing';
import { marksOf } from './marks.js';

/** What a caller was told of one call. */
export type Told =
  /** The task, with the caller's mark in it. */
  | 'won'
  /** The task, without. */
  | 'lost'
  /** That there is no such task. */
  | 'gone'
  /** That there was no room, and so nothing was done. */
  | 'refused'
  /** That it did not work out; whether it was done is not known. */
  | 'unknown';

/** A call that has ended. */
export interface StoreCall {
  readonly kind: 'create' | 'write' | 'read';
  readonly key: TaskKey;
  /** The mark of a write; of a creation none. */
  readonly mark: string;
  readonly told: Told;
  readonly beganAt: number;
  readonly tookMs: number;
  readonly record?: TaskRecord;
  readonly error?: Error;
}

/** Everything that callers asked of stores, and what each was told. It makes no call fail: a failure is what the caller was told. */
export class StoreHistory {
  readonly calls: StoreCall[] = [];

  private won = 0;

  /** How many calls were acknowledged so far. */
  get acknowledged(): number {
    return this.won;
  }

  /** Creates a task, one of its own unless a draft is given. */
  create(store: TaskStore, draft: TaskDraft = sampleDraft()): Promise<StoreCall> {
    return this.call({ kind: 'create', key: taskKeyOf(draft.principal, draft.taskId), mark: '' }, () => store.create(draft));
  }

  /** Makes a write that leaves the mark `mark` if it has an effect. */
  write(store: TaskStore, target: { readonly key: TaskKey; readonly mark: string }, mutate: TaskMutation): Promise<StoreCall> {
    return this.call({ kind: 'write', ...target }, () => store.update(target.key, mutate));
  }

  read(store: TaskStore, key: TaskKey): Promise<StoreCall> {
    return this.call({ kind: 'read', key, mark: '' }, () => store.get(key));
  }

  private async call(asked: Pick<StoreCall, 'kind' | 'key' | 'mark'>, run: () => Promise<TaskRecord | undefined>): Promise<StoreCall> {
    const beganAt = performance.now();
    const [outcome] = await Promise.allSettled([run()]);
    const answer = outcome.status === 'fulfilled' ? toldBy(asked, outcome.value) : failureOf(outcome.reason);
    const call: StoreCall = { ...asked, ...answer, beganAt, tookMs: performance.now() - beganAt };
    this.calls.push(call);
    if (call.told === 'won') this.won += 1;
    return call;
  }
}

function toldBy({ kind, mark }: Pick<StoreCall, 'kind' | 'mark'>, record: TaskRecord | undefined): Pick<StoreCall, 'told' | 'record'> {
  if (record === undefined) return { told: 'gone' };
  const won = kind !== 'write' || marksOf(record).some(({ name }) => name === mark);
  return { told: won ? 'won' : 'lost', record };
}

function failureOf(error: unknown): Pick<StoreCall, 'told' | 'error'> {
  return { told: error instanceof TaskStoreFullError ? 'refused' : 'unknown', error: error as Error };
}
