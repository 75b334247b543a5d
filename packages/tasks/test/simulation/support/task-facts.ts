import type { TaskKey, TaskRecord } from '@mocapi/tasks';
import type { Commit, Execution } from './history.js';
import type { Run } from './run.js';

/** A write that began a run. */
export interface BegunRun {
  readonly at: number;
  readonly by: string;
  readonly record: TaskRecord;
  /** Absent for the creation. */
  readonly before: TaskRecord | undefined;
  readonly kind: 'call' | 'update' | 'takeover';
}

/** All that the history tells of one task. */
export interface TaskFacts {
  readonly key: TaskKey;
  readonly name: string;
  readonly taskId: string;
  readonly commits: readonly Commit[];
  /** The records that it went through, in order. */
  readonly records: readonly TaskRecord[];
  readonly runs: readonly BegunRun[];
}

/** The history, task by task. A task that is made again under its key when it has expired, by a creation that came late, is another task. */
export function factsOf({ history }: Run): readonly TaskFacts[] {
  const lives: { readonly key: TaskKey; readonly commits: Commit[] }[] = [];
  const current = new Map<TaskKey, Commit[]>();
  for (const commit of history.commits) {
    const commits = commit.before && current.get(commit.key);
    if (commits) commits.push(commit);
    else lives.push({ key: commit.key, commits: [commit] });
    if (!commits) current.set(commit.key, lives.at(-1)!.commits);
  }
  return lives.map(({ key, commits }) => factsFrom(key, commits));
}

function factsFrom(key: TaskKey, commits: readonly Commit[]): TaskFacts {
  const records = commits.map(({ after }) => after).filter((record) => record !== undefined);
  const { taskId, arguments: args } = records[0] ?? commits[0]!.before!;
  return { key, taskId, name: args.name as string, commits, records, runs: runsOf(commits) };
}

/** The executions of a body by the name of its task. */
export function executionsOf({ history }: Run, name: string): readonly Execution[] {
  return history.executions.filter(({ task }) => task === name);
}

function runsOf(commits: readonly Commit[]): readonly BegunRun[] {
  return commits.flatMap(({ at, by, before, after }) => {
    if (!after?.run || after.run.id === before?.run?.id) return [];
    return [{ at, by, record: after, before, kind: kindOf(before) }];
  });
}

function kindOf(before: TaskRecord | undefined): BegunRun['kind'] {
  if (!before) return 'call';
  return before.status === 'input_required' ? 'update' : 'takeover';
}
