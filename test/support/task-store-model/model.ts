import { isTerminal, type TaskRecord, type TaskRun, type TaskStatus } from '@mocapi/tasks';

/** What a task is, in as few words as possible. */
export interface ModelTask {
  createdAt: number;
  ttlMs: number;
  lastUpdatedAt: number;
  version: number;
  status: TaskStatus;
  text?: string;
  /** The questions that stand open. */
  open: string[];
  /** By the key of its question, who brought the answer. */
  answers: Record<string, string>;
  run?: TaskRun | undefined;
}

/** What a change makes of a task; nothing if it makes no change. */
export type ModelChange = (task: ModelTask) => Partial<ModelTask> | undefined;

/** All there is to a store: tasks, a clock, and one change after the other. */
export class StoreModel {
  now = 0;
  private readonly tasks = new Map<string, ModelTask>();

  /** The task, if it lives: its deadline included. */
  get(id: string): ModelTask | undefined {
    const task = this.tasks.get(id);
    return task && this.now <= task.createdAt + task.ttlMs ? task : undefined;
  }

  create(id: string, task: Pick<ModelTask, 'ttlMs' | 'run'>): void {
    const { now } = this;
    this.tasks.set(id, { ...task, createdAt: now, lastUpdatedAt: now, version: 1, status: 'working', open: [], answers: {} });
  }

  change(id: string, change: ModelChange): ModelTask | undefined {
    const task = this.get(id);
    const members = task && !isTerminal(task.status) ? change(task) : undefined;
    if (task && members) this.tasks.set(id, { ...task, ...members, version: task.version + 1, lastUpdatedAt: this.now });
    return this.get(id);
  }

  delete(id: string): void {
    this.tasks.delete(id);
  }
}

/** Of a record, what the model tells. */
export function essence(record: TaskRecord | undefined): ModelTask | undefined {
  if (record === undefined) return undefined;
  const { createdAt, ttlMs, lastUpdatedAt, version, status, statusMessage, inputRequests, ledger, run } = record;
  return {
    createdAt,
    ttlMs: ttlMs!,
    lastUpdatedAt,
    version,
    status,
    ...(statusMessage === undefined ? {} : { text: statusMessage }),
    open: Object.keys(inputRequests ?? {}),
    answers: Object.fromEntries(ledger.filter(({ answered }) => answered).map(({ key, answeredBy }) => [key, answeredBy!])),
    ...(run ? { run: { ...run } } : {}),
  };
}
