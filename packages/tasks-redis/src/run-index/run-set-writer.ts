import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { TaskKey } from '@mocapi/tasks';
import { type RedisCommands, unavailable } from '../commands/redis-commands.js';
import type { RedisKeys } from '../commands/redis-keys.js';

/** What the writer of run sets needs. */
export interface RunSetWriterParts {
  readonly commands: RedisCommands;
  readonly keys: RedisKeys;
}

type KeysBySession = Map<string, Set<TaskKey>>;

/** So long struck-off tasks are collected, in milliseconds. */
const COLLECT_MS = 20;

/**
 * Writes what sessions run: new entries of a turn of the event loop in one command, struck-off ones of some milliseconds in one as well. So it costs no
 * command for each task.
 */
export class RunSetWriter {
  private readonly logger = new Logger(RunSetWriter.name);
  private readonly marked: KeysBySession = new Map();
  private readonly adding: KeysBySession = new Map();
  private readonly removing: KeysBySession = new Map();
  private readonly underWay = new Set<Promise<void>>();
  private adds: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: RunSetWriterParts) {}

  /** Enters a task. On a single server it resolves once the entry is on its way ahead of whatever is sent next; in a cluster, once it is there. */
  mark(session: string, key: TaskKey): Promise<void> {
    put(this.marked, session, key);
    take(this.removing, session, key);
    put(this.adding, session, key);
    return (this.adds ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.adds = undefined;
        this.sendAdds().then(resolve, reject);
      });
    }));
  }

  /** Strikes a task off, some time soon: an entry that stays is passed over. */
  unmark(session: string, key: TaskKey): void {
    take(this.marked, session, key);
    put(this.removing, session, key);
    this.timer ??= setTimeout(() => void this.flush(), COLLECT_MS).unref();
  }

  /** Resolves once all that is struck off by now is, or could not be. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [session, keys] of this.removing) this.track(this.remove(session, keys));
    this.removing.clear();
    await Promise.all(this.underWay);
  }

  /** Forgets what it knows of a session that is over. */
  forget(session: string): void {
    this.marked.delete(session);
  }

  private async sendAdds(): Promise<void> {
    if (!this.parts.commands.isReady) {
      this.adding.clear();
      throw unavailable();
    }
    const sent = [...this.adding].map(([session, keys]) => this.add(session, [...keys]));
    this.adding.clear();
    const entered = Promise.all(sent);
    if (this.parts.commands.isCluster) return void (await entered);
    // Redis carries out the commands of a connection in their order, and so does the client send them again after a lost one. Only in a cluster may
    // what comes next go to another server. What could not be sent at all is known in the next turn.
    this.track(entered);
    await Promise.race([entered, nextTurn()]);
  }

  private async add(session: string, keys: readonly TaskKey[]): Promise<void> {
    const { commands, keys: names } = this.parts;
    const entered = commands.write((client) => client.sadd(names.running(session), ...keys));
    // If the session was taken for dead and forgotten meanwhile, it is listed again, as dead: else nobody would ever find these entries.
    if (!commands.isCluster) await Promise.all([entered, this.list(session)]);
    else {
      await entered;
      await this.list(session);
    }
  }

  private async list(session: string): Promise<void> {
    const { commands, keys } = this.parts;
    await commands.write((client) => client.zadd(keys.nodes, 'NX', '-inf', session));
  }

  private async remove(session: string, keys: ReadonlySet<TaskKey>): Promise<void> {
    const { commands, keys: names } = this.parts;
    await commands.write(async (client) => {
      // Asked anew for each try: a task that was entered again meanwhile must stay.
      const gone = [...keys].filter((key) => !this.marked.get(session)?.has(key));
      if (gone.length > 0) await client.srem(names.running(session), ...gone);
    });
  }

  private track(work: Promise<unknown>): void {
    const tracked: Promise<void> = work
      .then(
        () => undefined,
        (error: unknown) => this.logger.warn(`What a node runs could not be written down: ${String(error)}`),
      )
      .finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
  }
}

function put(sets: KeysBySession, session: string, key: TaskKey): void {
  const keys = sets.get(session);
  if (keys) keys.add(key);
  else sets.set(session, new Set([key]));
}

function take(sets: KeysBySession, session: string, key: TaskKey): void {
  const keys = sets.get(session);
  if (keys?.delete(key) && keys.size === 0) sets.delete(session);
}
