import type { RunSession } from '../store/task-run-index.js';

/** How long a node is watched, and how often. In milliseconds. */
export interface SessionWatchTimes {
  /** The silence after which a session is dead. */
  readonly leaseMs: number;
  /** Between two looks, about. */
  readonly beatMs: number;
}

/** One look at all sessions. */
export interface SessionLook {
  readonly sessions: readonly RunSession[];
  /** When they were asked for and when they came, by the elapsed time of this node. */
  readonly askedAt: number;
  readonly seenAt: number;
}

/** A session that may be taken over from. */
export interface DeadSession {
  readonly session: string;
  /** That of one that is late and has not left yet. */
  readonly sign: string | undefined;
}

interface Watched {
  readonly sign: string | undefined;
  readonly silentMs: number;
}

/** If a look comes more than so many beats after the previous one, the time between them does not count. */
const BEATS_BETWEEN = 2;

/**
 * Finds dead sessions: those that left, and those whose sign has not changed for a lease of this node's own time, in
 * which it looked. No other clock takes part. Time in which it could not look does not count, and after a lease
 * without a look every session is watched from the beginning: if the store was away, all nodes are equally late, and
 * the first one would take the work of those that are about to return.
 */
export class SessionWatch {
  private watched = new Map<string, Watched>();
  private lastSeenAt = -Infinity;

  constructor(private readonly times: SessionWatchTimes) {}

  /** Whether the last look showed the session. */
  knows(session: string): boolean {
    return this.watched.has(session);
  }

  /** Takes a look into account; returns the sessions that are dead by now. */
  look({ sessions, askedAt, seenAt }: SessionLook): readonly DeadSession[] {
    const { leaseMs, beatMs } = this.times;
    const gap = askedAt - this.lastSeenAt;
    this.lastSeenAt = seenAt;
    const watchedMs = gap <= BEATS_BETWEEN * beatMs ? Math.max(0, gap) : 0;
    const before = gap < leaseMs ? this.watched : new Map<string, Watched>();
    this.watched = new Map(
      sessions.map(({ session, sign }) => {
        const known = before.get(session);
        return [session, { sign, silentMs: known && known.sign === sign ? known.silentMs + watchedMs : 0 }];
      }),
    );
    return [...this.watched]
      .filter(([, { sign, silentMs }]) => sign === undefined || silentMs > leaseMs)
      .map(([session, { sign }]) => ({ session, sign }));
  }
}
