import { Logger } from '@nestjs/common';
import type { TaskKey } from '../store/task-key.js';
import type { TaskRunIndex } from '../store/task-run-index.js';
import type { SessionRoster } from './session-roster.js';
import type { TakeoverPortion } from './takeover-portion.js';

/** Fate of an entry under a dead session: nothing is left to do for it, or only another node can do it. */
export type OrphanFate = 'settled' | 'left';

/** Parts of the search for dead nodes. */
export interface OrphanReaperParts {
  readonly index: TaskRunIndex;
  readonly roster: Pick<SessionRoster, 'left'>;
  readonly portion: TakeoverPortion;
  /** Runs `work` as one unit: suspects that are taken over together. */
  gather<T>(work: () => Promise<T>): Promise<T>;
  /** Takes over the task, if it is still that session's. */
  takeOver(key: TaskKey, session: string): Promise<OrphanFate>;
}

/** Entries looked at in one go. */
const PAGE = 100;

/** Finds what dead nodes ran, and has it taken over. Several nodes may do so at once: each task goes to one of them. */
export class OrphanReaper {
  private readonly logger = new Logger('McpTasks');
  private isLooking = false;
  private isAsked = false;
  private isStopped = false;
  /** Warnings of this look and of the one before: each is logged once, for as long as it lasts. */
  private warnings = new Set<string>();
  private lastWarnings = new Set<string>();

  constructor(private readonly parts: OrphanReaperParts) {}

  /** Looks once, or once more after the look that is under way. Never throws. */
  look(): void {
    this.isAsked = true;
    if (!this.isLooking) void this.lookWhileAsked();
  }

  /** Takes nothing on any more. */
  stop(): void {
    this.isStopped = true;
  }

  private async lookWhileAsked(): Promise<void> {
    this.isLooking = true;
    while (this.isAsked && !this.isStopped) {
      this.isAsked = false;
      try {
        await this.lookOnce();
      } catch (error) {
        this.warn(`Could not look for dead nodes: ${String(error)}`);
      }
      this.lastWarnings = this.warnings;
      this.warnings = new Set();
    }
    this.isLooking = false;
  }

  private async lookOnce(): Promise<void> {
    for (const session of await this.parts.roster.left()) await this.reap(session);
  }

  private async reap(session: string): Promise<void> {
    try {
      await this.reapAll(session);
    } catch (error) {
      // One node of which nothing can be read must not keep the others from being looked at.
      this.warn(`The tasks of a dead node could not be read: ${String(error)}`);
    }
  }

  private async reapAll(session: string): Promise<void> {
    const { index, portion } = this.parts;
    const seen = new Set<TaskKey>();
    for (let left = 0; left < PAGE && !this.isStopped;) {
      const keys = await index.runningOf(session, PAGE);
      // A settled entry may stay longer if it could not be removed.
      const unseen = keys.filter((key) => !seen.has(key));
      if (unseen.length === 0) portion.done(session);
      if (keys.length === 0) return index.drop(session);
      const taken = unseen.slice(0, unseen.length && portion.of(session));
      if (taken.length === 0) return;
      const fates = await this.parts.gather(() => Promise.all(taken.map((key) => this.settle(key, session))));
      left += fates.filter((fate) => fate === 'left').length;
      for (const key of taken) seen.add(key);
    }
  }

  private async settle(key: TaskKey, session: string): Promise<OrphanFate> {
    if (this.isStopped) return 'left';
    try {
      const fate = await this.parts.takeOver(key, session);
      if (fate === 'settled') await this.parts.index.unmark(session, key);
      return fate;
    } catch (error) {
      // One task that can't be read must not keep the others from being looked at.
      this.warn(`A task of a dead node could not be taken over: ${String(error)}`);
      return 'left';
    }
  }

  private warn(text: string): void {
    if (!this.warnings.has(text) && !this.lastWarnings.has(text)) this.logger.warn(text);
    this.warnings.add(text);
  }
}
