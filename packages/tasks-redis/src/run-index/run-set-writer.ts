import { Logger } from '@nestjs/common';
import type { TaskKey } from '@mocapi/tasks';
import type { RedisCommands } from '../commands/redis-commands.js';
import type { RedisKeys } from '../commands/redis-keys.js';
import { RedisScript } from '../commands/redis-script.js';

/** Parts of the writer of run sets. */
export interface RunSetWriterParts {
  readonly commands: RedisCommands;
  readonly keys: RedisKeys;
}

type KeysBySession = Map<string, Set<TaskKey>>;

const ENTER = RedisScript.load('enter');
/** Tasks in one command: a script takes no more than some thousand values at once. */
const PORTION = 1000;
/** So long struck-off tasks are collected, in milliseconds. */
const COLLECT_MS = 20;
/** Milliseconds before a failed removal is retried. */
const RETRY_MS = 1000;

/**
 * Writes what sessions run: new entries of a turn of the event loop in one command, struck-off ones of some milliseconds in one as well. So it costs no
 * command for each task.
 */
export class RunSetWriter {
  private readonly logger = new Logger('McpTasksRedis');
  private readonly marked: KeysBySession = new Map();
  private readonly adding: KeysBySession = new Map();
  private readonly removing: KeysBySession = new Map();
  private readonly underWay = new Set<Promise<void>>();
  private adds: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** The last removal failed, and was logged. */
  private isFailing = false;
  private isClosed = false;

  constructor(private readonly parts: RunSetWriterParts) {}

  /** Enters a task, and resolves once it is. */
  mark(session: string, key: TaskKey): Promise<void> {
    put(this.marked, session, key);
    put(this.adding, session, key);
    return (this.adds ??= new Promise((resolve, reject) => {
      this.parts.commands.atEndOfTurn(() => {
        this.adds = undefined;
        this.sendAdds().then(resolve, reject);
      });
    }));
  }

  /** Strikes a task off, some time soon, and again until it is: an entry that stays meanwhile is passed over. */
  unmark(session: string, key: TaskKey): void {
    take(this.marked, session, key);
    put(this.removing, session, key);
    this.flushLater(COLLECT_MS);
  }

  /** Entries of a session, as far as they were made here. */
  entriesOf(session: string): readonly TaskKey[] {
    return [...(this.marked.get(session) ?? [])];
  }

  /**
   * Strikes off what stands under a session of this node and was not entered by it, or was left since: a write that was given up may arrive all the
   * same, behind the one that was to undo it.
   */
  async sweep(session: string): Promise<void> {
    const { commands, keys } = this.parts;
    const isStale = (key: string): boolean => !this.marked.get(session)?.has(key as TaskKey);
    if ((await commands.read((client) => client.scard(keys.running(session)))) <= this.entriesOf(session).length) return;
    let cursor = '0';
    do {
      const [next, members] = await commands.read((client) => client.sscan(keys.running(session), cursor, 'COUNT', PORTION));
      for (const key of members.filter(isStale)) this.unmark(session, key as TaskKey);
      cursor = next;
    } while (cursor !== '0');
  }

  /** Resolves once every removal so far is done, or has failed. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [session, keys] of this.removing) this.track(this.remove(session, keys));
    this.removing.clear();
    await Promise.all(this.underWay);
  }

  /** Flushes, and tries nothing again from then on. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.flush();
  }

  /** Forgets what it knows of a session that is over. */
  forget(session: string): void {
    this.marked.delete(session);
  }

  private async sendAdds(): Promise<void> {
    const entries = [...this.adding];
    this.adding.clear();
    await Promise.all(entries.map(([session, keys]) => this.add(session, [...keys])));
  }

  private async add(session: string, entered: readonly TaskKey[]): Promise<void> {
    const { commands, keys } = this.parts;
    for (let from = 0; from < entered.length; from += PORTION) {
      const portion = entered.slice(from, from + PORTION);
      await commands.write((client) => ENTER.run(client, keys.running(session), portion));
    }
    // If the session was taken for dead and dropped meanwhile, it is listed again, as dead: else nobody would ever find these entries.
    this.track(this.list(session));
  }

  private async list(session: string): Promise<void> {
    const { commands, keys } = this.parts;
    await commands.write((client) => client.zadd(keys.nodes, 'NX', '-inf', session));
  }

  private async remove(session: string, keys: ReadonlySet<TaskKey>): Promise<void> {
    const { commands, keys: names } = this.parts;
    // Asked again for each try: a task that was entered again meanwhile must stay.
    const gone = () => [...keys].filter((key) => !this.marked.get(session)?.has(key));
    try {
      await commands.write(async (client) => {
        const members = gone();
        if (members.length > 0) await client.srem(names.running(session), ...members);
      });
      this.isFailing = false;
    } catch (error) {
      for (const key of gone()) put(this.removing, session, key);
      this.flushLater(RETRY_MS);
      if (this.isFailing) return;
      this.isFailing = true;
      throw error;
    }
  }

  private flushLater(ms: number): void {
    if (!this.isClosed) this.timer ??= setTimeout(() => void this.flush(), ms).unref();
  }

  private track(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error: unknown) => this.logger.warn(`The list of tasks on this node could not be stored; retrying: ${String(error)}`))
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
