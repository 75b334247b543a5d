import { isAlive, type TaskExecutorLoad, type TaskKey, type TaskRecord } from '@mocapi/tasks';

/** A write that the store made. */
export interface Commit {
  readonly at: number;
  /** The node that asked for it. */
  readonly by: string;
  readonly key: TaskKey;
  /** Absent for a creation. */
  readonly before?: TaskRecord;
  /** Absent for a deletion, or when the change ended the task's life. */
  readonly after?: TaskRecord;
}

/** One run of a body. */
export interface Execution {
  readonly at: number;
  /** Its name: that of the plan, and which of the calls for it made it. */
  readonly task: string;
  readonly node: string;
  readonly trigger: 'call' | 'update' | 'takeover';
  /** Steps whose function ran in it; the others it read from the ledger. */
  readonly steps: string[];
  /** When the body itself was entered: that of a call that became a task waits for its place. */
  enteredAt: number;
  endedAt: number | undefined;
  /** Why its signal told it to stop, and when. */
  stopped: { readonly reason: unknown; readonly at: number } | undefined;
}

/** What a client saw of a task in one answer, or in one push. */
export interface Sighting {
  readonly at: number;
  readonly taskId: string;
  /** That answered or pushed. */
  readonly node: string;
  /** Which stream pushed it; absent for an answer. */
  readonly stream?: number;
  /** As it came on the wire; absent for "unknown task". */
  readonly task?: object;
  /** How many commits there were by then. */
  readonly commits: number;
}

/** A promise that the server made to a client. */
export interface Acknowledgement {
  readonly at: number;
  readonly taskId: string;
  readonly what: 'create' | 'answer' | 'cancel';
  /** Which questions were answered. */
  readonly keys: readonly string[];
  /** The record at that moment, as the store has it; absent if it is gone. */
  readonly record?: TaskRecord;
}

/** A read by the store's side: whether it found the task, and whether by what was written before it should have. */
export interface Look {
  readonly at: number;
  readonly found: boolean;
  readonly isAlive: boolean;
}

/** A stream of pushes that was open when its task had come to rest. */
export interface OpenStream {
  readonly at: number;
  readonly taskId: string;
  readonly stream: number;
  /** Whether its last push was the task as it then was. */
  readonly isCurrent: boolean;
}

/** What was asked of a task that is another's, and of one that never was, and how the node answered. */
export interface Probe {
  readonly foreign: string;
  readonly unknown: string;
}

/** A node's life: from its boot until it died, or had left. */
export interface Life {
  readonly node: string;
  readonly from: number;
  diedAt?: number;
  /** When it was told to end, and when it had. */
  leavesAt?: number;
  leftAt?: number;
  /** What it left behind in its own process when it had left. */
  left?: { readonly timers: number; readonly watches: number; readonly load: TaskExecutorLoad };
  readonly pauses: { readonly from: number; readonly until: number }[];
  readonly sessions: string[];
}

/** All that happened in one run of a schedule; the invariants are read from it. */
export class History {
  readonly commits: Commit[] = [];
  readonly executions: Execution[] = [];
  readonly sightings: Sighting[] = [];
  readonly acknowledgements: Acknowledgement[] = [];
  readonly looks: Look[] = [];
  readonly probes: Probe[] = [];
  readonly openStreams: OpenStream[] = [];
  readonly lives = new Map<string, Life>();
  /** Errors that are no answers. */
  readonly defects: string[] = [];
  /** How often each kind of fault struck. */
  readonly faults = new Map<string, number>();
  /** What was written last of each task that was not deleted since, whether it is alive or not. */
  readonly latest = new Map<TaskKey, TaskRecord>();

  commit(commit: Commit): void {
    this.commits.push(commit);
    if (commit.after) this.latest.set(commit.key, commit.after);
    else this.latest.delete(commit.key);
  }

  /** The task as it should be readable at a time. */
  readable(key: TaskKey, now: number): TaskRecord | undefined {
    const record = this.latest.get(key);
    return record && isAlive(record, now) ? record : undefined;
  }

  fault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }

  /** The node that a session belongs to. */
  lifeOf(session: string): Life | undefined {
    for (const life of this.lives.values()) if (life.sessions.includes(session)) return life;
    return undefined;
  }
}

/** Whether the store could not be relied on: nodes may have been silent through no fault of their own. */
export function hasWireFaults({ faults }: History): boolean {
  return ['lost request', 'lost reply', 'store away'].some((fault) => faults.has(fault));
}
