import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { type Clock, type RunSession, type TaskKey, TaskRunIndex, type TaskRunListener } from '@mocapi/tasks';
import type { RedisChannels, Unlisten } from '../channels/redis-channels.js';
import type { RedisCommands } from '../commands/redis-commands.js';
import type { RedisKeys } from '../commands/redis-keys.js';
import { RedisScript } from '../commands/redis-script.js';
import { RunSetWriter } from './run-set-writer.js';

/** Parts of the run index. */
export interface RedisRunIndexParts {
  readonly commands: RedisCommands;
  readonly channels: RedisChannels;
  readonly keys: RedisKeys;
  /** Tests alone: the time instead of that of Redis. */
  readonly clock?: Clock | undefined;
}

const JOIN = RedisScript.load('join');
const BEAT = RedisScript.load('beat');
const LEAVE = RedisScript.load('leave');
const BURY = RedisScript.load('bury');

/** The score of a session that has left. */
const LEFT = '-inf';

/** Beats from one look for stale entries to the next. */
const SWEEP_EVERY = 4;

/** Who runs what, in Redis: one sorted set of sessions, and one set of keys for each session. Nothing of it is in the same slot as something else. */
export class RedisRunIndex extends TaskRunIndex {
  private readonly logger = new Logger(RedisRunIndex.name);
  private readonly runs: RunSetWriter;
  private beats = 0;
  private readonly listening = new Map<string, Unlisten>();

  constructor(private readonly parts: RedisRunIndexParts) {
    super();
    this.runs = new RunSetWriter(parts);
  }

  async join(listener?: TaskRunListener): Promise<string> {
    const session = randomBytes(16).toString('base64url');
    if (listener) this.listen(session, listener);
    try {
      await this.run(JOIN, [session, this.now]);
    } catch (error) {
      this.forget(session);
      throw error;
    }
    return session;
  }

  async beat(session: string): Promise<boolean> {
    const lives = Number(await this.run(BEAT, [session, this.now])) === 1;
    if (!lives) this.forget(session);
    else if (++this.beats % SWEEP_EVERY === 0) this.sweep(session);
    return lives;
  }

  async leave(session: string): Promise<void> {
    this.forget(session);
    await Promise.all([this.runs.flush(), this.run(LEAVE, [session, this.parts.keys.wake])]);
  }

  async tellStopped(session: string, key: TaskKey): Promise<void> {
    try {
      await this.parts.commands.read((client) => client.publish(this.parts.keys.control(session), key));
    } catch (error) {
      // A hint, which the node finds out by itself before long.
      this.logger.debug(`A node could not be notified of a task: ${String(error)}`);
    }
  }

  markRunning(session: string, key: TaskKey): Promise<void> {
    return this.runs.mark(session, key);
  }

  async unmark(session: string, key: TaskKey): Promise<void> {
    this.runs.unmark(session, key);
  }

  async sessions(): Promise<readonly RunSession[]> {
    const { commands, keys } = this.parts;
    const reply = await commands.read((client) => client.zrangebyscore(keys.nodes, '-inf', '+inf', 'WITHSCORES'));
    const names = reply.filter((_, at) => at % 2 === 0);
    return names.map((session, at) => ({ session, sign: reply[2 * at + 1] === LEFT ? undefined : reply[2 * at + 1] }));
  }

  async bury(session: string, sign: string): Promise<boolean> {
    return Number(await this.run(BURY, [session, sign, this.parts.keys.wake])) === 1;
  }

  async runningOf(session: string, limit: number): Promise<readonly TaskKey[]> {
    await this.runs.flush();
    const { commands, keys } = this.parts;
    // Random ones, so that several who take over don't go for the same.
    return (await commands.read((client) => client.srandmember(keys.running(session), limit))) as TaskKey[];
  }

  async drop(session: string): Promise<void> {
    await this.runs.flush();
    const { commands, keys } = this.parts;
    if (await this.runsAny(session)) return;
    await commands.write((client) => client.zrem(keys.nodes, session));
    // What came in between would not be found by anybody.
    if (await this.runsAny(session)) await commands.write((client) => client.zadd(keys.nodes, 'NX', '-inf', session));
    else this.forget(session);
  }

  /** Writes the remaining changes, and stops listening. */
  async close(): Promise<void> {
    for (const session of this.listening.keys()) this.forget(session);
    await this.runs.close();
  }

  private listen(session: string, listener: TaskRunListener): void {
    const { channels, keys } = this.parts;
    const tellOfAll = (): void => {
      for (const key of this.runs.entriesOf(session)) listener.stopped(key);
    };
    const ends = [
      // What was said before it could be heard is made up for.
      channels.listen(keys.control(session), { message: (key) => listener.stopped(key as TaskKey), subscribed: tellOfAll }),
      channels.listen(keys.wake, { message: () => listener.orphaned(), subscribed: (isAgain) => isAgain && listener.orphaned() }),
    ];
    this.listening.set(session, () => {
      for (const end of ends) end();
    });
  }

  private forget(session: string): void {
    this.listening.get(session)?.();
    this.listening.delete(session);
    this.runs.forget(session);
  }

  private sweep(session: string): void {
    // Stale entries cost memory, and a look at them when the session is dead. The next sweep finds them as well.
    this.runs.sweep(session).catch((error: unknown) => this.logger.debug(`Stale entries could not be searched: ${String(error)}`));
  }

  private async runsAny(session: string): Promise<boolean> {
    const { commands, keys } = this.parts;
    return (await commands.read((client) => client.scard(keys.running(session)))) > 0;
  }

  private run(script: RedisScript, args: readonly (string | number)[]): Promise<unknown> {
    return this.parts.commands.write((client) => script.run(client, this.parts.keys.nodes, args));
  }

  /** The time that scripts get. */
  private get now(): string | number {
    return this.parts.clock?.now() ?? '';
  }
}
