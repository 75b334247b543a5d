import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { MaybePromise } from '@mocapi/core/extension';
import type { CancelTimer, Clock } from '../store/clock.js';
import type { TaskKey } from '../store/task-key.js';
import type { TaskRunIndex, TaskRunListener } from '../store/task-run-index.js';
import { TaskStoreUnavailableError } from '../store/task-store.errors.js';
import { RunEntries, type RunEntry } from './run-entries.js';

/** Receives news about a node's own standing. */
export interface NodeListener extends TaskRunListener {
  /** The others consider this node dead: whatever it runs may be theirs by now. */
  lost(): void;
  /** It has said that it lives: the time to look after the others. */
  beaten(): void;
}

/** Parts of a node's membership. */
export interface NodeMembershipParts {
  /** The index of the store; without one a node is alone. */
  readonly index: TaskRunIndex | undefined;
  readonly clock: Clock;
  /** Milliseconds of silence after which a node is dead. */
  readonly leaseMs: number;
}

const BEATS_PER_LEASE = 5;
/** Each time up to this part more or less, so that nodes don't fall into step. */
const JITTER = 0.25;

/**
 * This node among those that share the store. Its states, and what leads from one to the next:
 *
 * | State | Session | Beats | Enters tasks | Next |
 * |---|---|---|---|---|
 * | alone: the store has no index | its own, for ever | no | at once | |
 * | outside | none | yes | once it has joined | `join` → member |
 * | member, heard of within a lease | that of the index | yes | at once | a lease without an answered beat → doubtful |
 * | doubtful | that of the index | yes | once a beat was answered | answered → member; refused → outside, and `lost` |
 * | closing, by `close` | that of the index | yes | no | `leave` or `stop` → ended |
 * | ended | none | no | no | |
 *
 * A node beats five times in a lease. A refused beat means that the others consider it dead: it returns under a new
 * session. A beat without an answer does not: while the store is away nobody can take anything over.
 */
export class NodeMembership {
  private readonly logger = new Logger('McpTasks');
  private readonly entries: RunEntries;
  /** The session that this node is known by now; undefined while it is not among the others. Without an index it is its own, for ever. */
  session: string | undefined;
  private joining: Promise<string> | undefined;
  private listener: NodeListener | undefined;
  private cancelBeat: CancelTimer | undefined;
  /** When it was last known to live; a node that is alone always is. */
  private provenAt: number;
  private isTroubled = false;
  private isClosed = false;
  private hasLeft = false;
  /** Notifications that the store has not received yet. */
  private readonly behind = new Set<() => void>();

  constructor(private readonly parts: NodeMembershipParts) {
    this.entries = new RunEntries(parts.index);
    this.session = parts.index ? undefined : randomUUID();
    this.provenAt = parts.index ? -Infinity : Infinity;
  }

  /** The least time between two signs of life, in milliseconds. */
  get beatMs(): number {
    return Math.max(1, Math.floor(this.parts.leaseMs / BEATS_PER_LEASE));
  }

  /** Whether `session` is what this node is known by now. */
  isOwn(session: string): boolean {
    return session === this.session;
  }

  /** Whether the store said within a beat that this node lives, so that nobody can have taken anything from it. */
  get isSure(): boolean {
    return this.parts.clock.elapsed() - this.provenAt <= this.beatMs * (1 + JITTER);
  }

  /** Joins, and from then on beats. @throws what the store throws when it can't be joined */
  async start(listener: NodeListener): Promise<void> {
    this.listener = listener;
    if (!this.parts.index) return;
    await this.current();
    this.beatLater();
  }

  /**
   * Enters a task that this node is about to claim, at once in an index in memory; the session it is entered under is the owner to claim it by.
   * @throws TaskStoreUnavailableError after `close`, and what the store throws
   */
  enter(key: TaskKey): MaybePromise<RunEntry> {
    const { session } = this;
    return session === undefined || this.isClosed || this.isDoubtful ? this.enterOnceKnown(key) : this.entries.enter(session, key);
  }

  /**
   * Registers a task under a session of its own, which belongs to no node: once it leaves, every node is notified to
   * look for it. Without an index there are no others, and the session is this node's.
   * @throws what the store throws
   */
  async enterForOthers(key: TaskKey): Promise<{ readonly session: string; leave(): Promise<void> }> {
    const { index } = this.parts;
    if (!index) return { session: this.session!, leave: () => Promise.resolve() };
    const session = await index.join();
    await index.markRunning(session, key);
    return { session, leave: () => index.leave(session) };
  }

  /** Makes the index agree with the entries of this node: a store that lost its last writes may need them again. */
  async reconcile(): Promise<void> {
    if (this.session !== undefined) await this.entries.reconcile(this.session);
  }

  /**
   * Sees to it that a task is found which this node claimed for a session that is gone: the others may have looked for it before the claim was written, and
   * removed it. Under that session it is an orphan like any other, unless it was taken over.
   */
  leaveBehind(session: string, key: TaskKey): void {
    const { index } = this.parts;
    if (!index) return;
    const retry = (): void => void this.behind.add(() => this.leaveBehind(session, key));
    index.markRunning(session, key).catch(retry);
  }

  /** Stops beating, and leaves the remaining entries to the others, at once. From now on it rejects new entries. */
  async leave(): Promise<void> {
    this.stop();
    const { session } = this;
    const { index } = this.parts;
    if (!index || session === undefined) return;
    this.session = undefined;
    await index.leave(session);
  }

  /**
   * Accepts nothing new, but continues to beat for running tasks: otherwise the others would take them over in the
   * middle of a long drain.
   */
  close(): void {
    this.isClosed = true;
  }

  /** Beats no more and takes nothing on, without a word to the others. */
  stop(): void {
    this.close();
    this.hasLeft = true;
    this.cancelBeat?.();
    this.cancelBeat = undefined;
  }

  private async enterOnceKnown(key: TaskKey): Promise<RunEntry> {
    return this.entries.enter(await this.current(), key);
  }

  /** The store said nothing for a lease, so this node may be dead to the others, as one that stood still is. */
  private get isDoubtful(): boolean {
    return this.parts.clock.elapsed() - this.provenAt > this.parts.leaseMs;
  }

  private async current(): Promise<string> {
    if (this.isClosed) throw new TaskStoreUnavailableError(this.parts.leaseMs);
    if (this.session !== undefined && this.isDoubtful) await this.prove(this.session);
    return this.session ?? (this.joining ??= this.join().finally(() => (this.joining = undefined)));
  }

  private async join(): Promise<string> {
    const asked = this.parts.clock.elapsed();
    const session = await this.parts.index!.join({
      stopped: (key) => this.listener?.stopped(key),
      orphaned: () => this.listener?.orphaned(),
    });
    this.provenAt = asked;
    return (this.session = session);
  }

  /** Says that the session lives, or finds that it does not any more. */
  private async prove(session: string): Promise<void> {
    const asked = this.parts.clock.elapsed();
    if (await this.parts.index!.beat(session)) this.provenAt = asked;
    else if (this.session === session) await this.lose(session);
  }

  private async lose(session: string): Promise<void> {
    this.session = undefined;
    this.logger.warn('This node was silent for longer than its lease, so other nodes took over its tasks. It continues under a new name');
    this.listener?.lost();
    // What was entered after the others had looked must not be forgotten with the session.
    await this.parts.index!.leave(session);
  }

  private beatLater(): void {
    const wait = this.beatMs * (1 - JITTER + 2 * JITTER * Math.random());
    this.cancelBeat = this.parts.clock.setTimer(() => void this.beat(), wait);
  }

  private async beat(): Promise<void> {
    try {
      if (this.session !== undefined) await this.prove(this.session);
      if (!this.isClosed) await this.current();
      this.recovered();
      this.catchUp();
    } catch (error) {
      if (!this.hasLeft) this.troubled(error);
    }
    if (this.hasLeft) return;
    this.beatLater();
    if (!this.isTroubled) this.listener?.beaten();
  }

  private catchUp(): void {
    const due = [...this.behind];
    this.behind.clear();
    for (const tell of due) tell();
  }

  private troubled(error: unknown): void {
    if (!this.isTroubled) this.logger.warn(`The task store does not answer this node: ${String(error)}`);
    this.isTroubled = true;
  }

  private recovered(): void {
    if (this.isTroubled) this.logger.log('The task store answers again');
    this.isTroubled = false;
  }
}
