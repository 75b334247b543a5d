import type { Run } from './run.js';
import type { TaskFacts } from './task-facts.js';

/** What must hold of every run, whatever befell it. */
export interface Invariant {
  /** `I1` to `I12` as the reliability bar names them; `B…` are the engine's promises about bodies. */
  readonly id: string;
  readonly promise: string;
  /** What contradicts it, in words; nothing if it held. */
  violations(run: Run, tasks: readonly TaskFacts[]): Iterable<string>;
}

/** An invariant that is looked at task by task. */
export function ofEachTask(id: string, promise: string, violations: (task: TaskFacts, run: Run) => Iterable<string>): Invariant {
  return {
    id,
    promise,
    *violations(run, tasks) {
      for (const task of tasks) for (const violation of violations(task, run)) yield `${task.name}: ${violation}`;
    },
  };
}
