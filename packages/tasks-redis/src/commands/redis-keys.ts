import type { TaskKey } from '@mocapi/tasks';

/** How the keys and channels of one store are called. They fall into slots of their own: nothing touches two of them in one step. */
export class RedisKeys {
  /** @param prefix begins every name */
  constructor(private readonly prefix: string) {}

  /** Sorted set: the sessions by their last beat. */
  get nodes(): string {
    return `${this.prefix}nodes`;
  }

  /** Channel: a session has left. */
  get wake(): string {
    return `${this.prefix}wake`;
  }

  /** Hash: a task. */
  task(key: TaskKey): string {
    return `${this.prefix}${key}`;
  }

  /**
   * Sorted set: the tasks of a caller by their deadline.
   * @param account a digest that reveals nothing about the caller
   */
  account(account: string): string {
    return `${this.prefix}acc:${account}`;
  }

  /** Channel: the task's new version. Scripts make it of the task's key. */
  changes(key: TaskKey): string {
    return `${this.prefix}${key}:c`;
  }

  /** Set: what a session runs. */
  running(session: string): string {
    return `${this.prefix}run:${session}`;
  }

  /** Channel: what a node says to itself, to find out whether it hears. */
  heartbeat(node: string): string {
    return `${this.prefix}hb:${node}`;
  }

  /** Channel: keys that may have been taken from a session. */
  control(session: string): string {
    return `${this.prefix}ctl:${session}`;
  }
}
