import type { Clock } from '../store/clock.js';
import type { TaskRunIndex } from '../store/task-run-index.js';
import { SessionWatch, type DeadSession, type SessionWatchTimes } from './session-watch.js';

/** Parts of the roster of sessions. */
export interface SessionRosterParts {
  readonly index: TaskRunIndex;
  readonly clock: Clock;
  readonly times: SessionWatchTimes;
  /** Its own lateness is for its next beat to find out. */
  isOwn(session: string): boolean;
}

/** The sessions in the run index, as this node sees them. */
export class SessionRoster {
  private readonly watch: SessionWatch;
  private looking: Promise<readonly DeadSession[]> | undefined;

  constructor(private readonly parts: SessionRosterParts) {
    this.watch = new SessionWatch(parts.times);
  }

  /** Looks, and makes those leave that were silent for too long. Resolves to the sessions that have left. @throws what the store throws */
  async left(): Promise<readonly string[]> {
    const { index } = this.parts;
    const dead = (await this.look()).filter(({ session }) => !this.parts.isOwn(session));
    const buried = await Promise.all(dead.map(async ({ session, sign }) => sign === undefined || index.bury(session, sign)));
    return dead.filter((_, at) => buried[at]).map(({ session }) => session);
  }

  /** Whether a session that owns a run is gone without a trace, so that nobody will look for the run. @throws what the store throws */
  async isGone(session: string): Promise<boolean> {
    if (this.parts.isOwn(session) || this.watch.knows(session)) return false;
    // It may have joined since the last look.
    await this.look();
    return !this.watch.knows(session);
  }

  private look(): Promise<readonly DeadSession[]> {
    return (this.looking ??= this.lookOnce().finally(() => (this.looking = undefined)));
  }

  private async lookOnce(): Promise<readonly DeadSession[]> {
    const { index, clock } = this.parts;
    const askedAt = clock.elapsed();
    const sessions = await index.sessions();
    return this.watch.look({ sessions, askedAt, seenAt: clock.elapsed() });
  }
}
