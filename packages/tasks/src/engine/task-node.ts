import { randomUUID } from 'node:crypto';
import type { CallRunner } from '@mocapi/core/extension';
import { PrincipalQuota } from '../slots/principal-quota.js';
import { LastTryLane } from '../slots/last-try-lane.js';
import type { TaskExecutor } from '../slots/task-executor.js';
import { NodeMembership } from '../nodes/node-membership.js';
import { OrphanReaper } from '../nodes/orphan-reaper.js';
import { SessionRoster } from '../nodes/session-roster.js';
import { TakeoverPortion } from '../nodes/takeover-portion.js';
import type { ResolvedTasksOptions } from '../options/resolve-tasks-options.js';
import type { RunClaim, TaskRecord, TaskView } from '../record/task-record.js';
import { released } from '../record/run-life.js';
import type { Clock } from '../store/clock.js';
import type { TaskKey } from '../store/task-key.js';
import type { TaskStore } from '../store/task-store.js';
import { AttemptRunner } from '../attempts/attempt-runner.js';
import { Claims } from '../attempts/claims.js';
import { InFlight, RunningAttempts } from '../attempts/running-attempts.js';
import { LostRuns } from '../nodes/lost-runs.js';
import { within } from '../attempts/retrying.js';
import { RunCheck } from '../attempts/run-check.js';
import type { TaskAttempt } from '../attempts/task-attempt.js';
import { UnsureWrites } from '../attempts/unsure-writes.js';
import type { DeployLog } from './deploy-log.js';
import { TaskResumption } from './task-resumption.js';
import { TaskTakeover } from './task-takeover.js';

/** Parts of a node. */
export interface TaskNodeParts {
  readonly calls: CallRunner;
  readonly store: TaskStore;
  readonly executor: TaskExecutor;
  readonly clock: Clock;
  readonly options: ResolvedTasksOptions;
  readonly deploys: DeployLog;
  /** Whose tasks it runs. */
  readonly endpoint: string;
  /** The endpoint's. */
  readonly path: string;
}

/** How long shutdown waits for aborted bodies. */
const SHUTDOWN_GRACE_MS = 2000;

/**
 * Runs tasks in this process, and takes part in the life of all nodes: it joins them, watches them, and leaves
 * unfinished tasks to them.
 */
export class TaskNode {
  readonly members: NodeMembership;
  readonly unsure: UnsureWrites;
  readonly inFlight = new InFlight();
  readonly runner: AttemptRunner;
  readonly claims: Claims;
  readonly resumption: TaskResumption;
  readonly quota: PrincipalQuota;
  private readonly running: RunningAttempts;
  private readonly check: RunCheck;
  private readonly reaper: OrphanReaper | undefined;
  private readonly repair: LostRuns | undefined;

  constructor(private readonly parts: TaskNodeParts) {
    const { calls, store, executor, clock, options, deploys, endpoint, path } = parts;
    const { leaseMs, maxAttempts, abandonAfterMs, limits } = options;
    const nodes = new NodeMembership({ index: store.runIndex, clock, leaseMs });
    this.members = nodes;
    this.quota = new PrincipalQuota(limits.maxActivePerPrincipal);
    this.unsure = new UnsureWrites(store, clock);
    const index = store.runIndex;
    const lane = new LastTryLane(clock, leaseMs);
    const { beatMs } = nodes;
    const free = (): number => executor.free - lane.size;
    const portion = index && new TakeoverPortion({ clock, beatMs, free, running: () => executor.load().running });
    const placeFreed = (): void => {
      // Tasks that had no slot may now be taken over.
      if (portion?.isDue) this.reaper?.look();
    };
    this.running = new RunningAttempts({ executor, clock, abandonAfterMs, passedOver: portion?.passedOver, placeFreed });
    this.runner = new AttemptRunner({ store, clock, running: this.running, nodes, limits, quota: this.quota });
    this.check = new RunCheck({ store, clock, nodes, running: this.running });
    this.claims = new Claims({ store, nodes, running: this.running, unsure: this.unsure, inFlight: this.inFlight });
    const suspicious = (key: TaskKey): void => this.check.check(key);
    this.resumption = new TaskResumption({ calls, executor, lane, quota: this.quota, runner: this.runner, deploys, check: suspicious });
    const { claims, resumption } = this;
    const takeover = new TaskTakeover({ calls, endpoint, claims, resumption, clock, leaseMs, maxAttempts, path });
    if (!index || !portion) return;
    const roster = new SessionRoster({ index, clock, times: { leaseMs, beatMs }, isOwn: (session) => nodes.isOwn(session) });
    const reaper = new OrphanReaper({
      index,
      roster,
      portion,
      gather: (work) => lane.gather(work),
      takeOver: (key, session) => takeover.takeOver(key, session),
    });
    this.reaper = reaper;
    this.repair = new LostRuns({ index, roster, found: () => reaper.look() });
  }

  /** Joins the other nodes. @throws what the store throws when it can't be reached */
  async start(): Promise<void> {
    await this.members.start({
      stopped: (key) => this.check.check(key),
      orphaned: () => this.reaper?.look(),
      lost: () => this.lost(),
      beaten: () => this.reaper?.look(),
    });
    if (this.parts.store.runIndex) this.check.start();
  }

  /** Looks after a task that was read. Never throws. */
  tend(record: TaskView): void {
    this.repair?.tend(record);
  }

  /** The others have taken over what they found here. What they did not find they are shown. */
  private lost(): void {
    this.running.abortAll('lease-lost');
    for (const { entry, key } of this.running.all) this.members.leaveBehind(entry.session, key);
  }

  /** Makes a write that may begin a run for whichever other node can: under a session that leaves at once, so that they look for it. */
  async passOn(key: TaskKey, mutate: (record: TaskRecord, claim: RunClaim) => TaskRecord): Promise<void> {
    const { store } = this.parts;
    const owner = await this.members.enterForOthers(key);
    const claim = { owner: owner.session, id: randomUUID() };
    const unbegun = (record: TaskRecord): TaskRecord => (record.run?.id === claim.id ? released(record, record.run, 'unbegun') : record);
    try {
      await store.update(key, (record) => unbegun(mutate(record, claim)));
    } finally {
      await owner.leave();
    }
  }

  /** Stops the attempt of a task that was cancelled, wherever it runs. @param owner the session that ran it */
  cancel(key: TaskKey, owner: string | undefined): void {
    this.running.abort(key, 'cancelled');
    if (owner === undefined || this.members.isOwn(owner)) return;
    // The word may be lost all the same; the owner's next check makes up for it.
    this.parts.store.runIndex?.tellStopped(owner, key).catch(() => undefined);
  }

  /** The client never learned the task's id: nobody can ever ask for it. */
  discard(attempt: TaskAttempt): void {
    attempt.abort('disconnected');
    // A record that could not be deleted goes with its ttl.
    this.parts.store.delete(attempt.key).catch(() => undefined);
  }

  /** Ends everything that runs here, and leaves the rest to the other nodes, at once. */
  async end(): Promise<void> {
    this.reaper?.stop();
    this.check.stop();
    this.unsure.close();
    // Nothing new begins, and every beginning attempt is known before the others are notified: otherwise they would look for it too early, and never again.
    this.members.close();
    await within(this.parts.clock, SHUTDOWN_GRACE_MS, this.inFlight.settled());
    await this.running.shutdown({ drainMs: this.parts.options.drainMs, graceMs: SHUTDOWN_GRACE_MS });
    // A store that is away finds out by itself, after the lease.
    await this.members.leave().catch(() => undefined);
  }
}
