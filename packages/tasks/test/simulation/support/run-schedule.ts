import type { CallRunner } from '@mocapi/core/extension';
import { isTerminal, type TaskRecord } from '@mocapi/tasks';
import { Logger } from '@nestjs/common';
import { History } from './history.js';
import type { Mutant } from './mutant.js';
import { optionsFor } from './node-options.js';
import { Random } from './random.js';
import type { Remains, Run } from './run.js';
import { drawSchedule, TROUBLE_MS, type PlannedFault, type Schedule } from './schedule.js';
import { bodyWorlds } from './scripted-tools.js';
import { SimulatedCluster } from './simulated-cluster.js';
import { SimulatedTime } from './simulated-time.js';
import { TaskStory } from './task-story.js';

/** How a schedule is run. */
export interface RunOptions {
  readonly calls: CallRunner;
  readonly mutant?: Mutant;
  /** Hears of each event. */
  readonly onEvent?: (line: string) => void;
}

/** Time enough after the last fault for a lease, for what is retried after half a minute, and for every script. */
const REST_MS = 90_000;

/** Before this no fault strikes: the first nodes join. */
const SETTLING_MS = 50;

/** So often at least nodes read what is watched, hints or not. */
const RECONCILE_MS = 13_000;

/** So long a node may keep a task entered of which it does not know whether its claim was written. */
const UNSURE_MS = 62_000;

/** Runs what a seed decides, from the first boot until everything has expired. Draws `Math.random` from the seed meanwhile. */
export async function runSchedule(seed: number, options: RunOptions): Promise<Run> {
  const random = new Random(seed);
  const chance = Math.random;
  const { stackTraceLimit } = Error;
  Math.random = () => random.next();
  // Lost messages make errors by the thousand, and nobody reads where.
  Error.stackTraceLimit = options.onEvent ? stackTraceLimit : 0;
  Logger.overrideLogger(options.onEvent ? loggerTo(options.onEvent) : false);
  try {
    return await new ScheduleRun(seed, random, options).run();
  } finally {
    Math.random = chance;
    Error.stackTraceLimit = stackTraceLimit;
    bodyWorlds.clear();
  }
}

class ScheduleRun {
  private readonly history = new History();
  private readonly time: SimulatedTime;
  private readonly schedule: Schedule;
  private readonly cluster: SimulatedCluster;
  private readonly stories: TaskStory[];
  private readonly begin: number;
  private isCalm = false;
  private open = 0;

  constructor(
    private readonly seed: number,
    private readonly random: Random,
    { calls, mutant = {}, onEvent }: RunOptions,
  ) {
    const drawn = drawSchedule(random);
    this.schedule = mutant.schedule?.(drawn) ?? drawn;
    this.time = new SimulatedTime(onEvent);
    this.begin = this.time.now;
    const { time, history } = this;
    const plans = new Map(this.schedule.tasks.map((plan) => [plan.name, plan]));
    this.cluster = new SimulatedCluster({ time, random, history, calls, plans, options: optionsFor(this.schedule), mutant });
    const parts = { time, random, history, cluster: this.cluster };
    this.stories = this.schedule.tasks.map((plan) => new TaskStory(parts, plan, () => this.isCalm));
  }

  async run(): Promise<Run> {
    for (let node = 0; node < this.schedule.nodes; node++) this.cluster.boot();
    await this.trouble();
    await this.rest();
    const tasks = this.readable();
    const remains = { tasks, ...(await this.leave()), records: await this.expire() };
    const { seed, schedule, history, time } = this;
    return { seed, schedule, history, remains, calmAt: this.begin + TROUBLE_MS, events: time.events, mark: time.mark };
  }

  private async trouble(): Promise<void> {
    for (const story of this.stories) {
      this.open += 1;
      void story.play().finally(() => (this.open -= 1));
    }
    await this.time.run(this.begin + SETTLING_MS);
    Object.assign(this.cluster.faults, this.schedule.wire);
    for (const fault of this.schedule.faults) this.time.after(fault.at - SETTLING_MS, `fault: ${fault.kind}`, () => this.strike(fault));
    await this.time.run(this.begin + TROUBLE_MS);
  }

  private strike({ kind, node: index, ms }: PlannedFault): void {
    const { cluster } = this;
    if (kind === 'boot') return void cluster.boot();
    if (kind === 'store away') return cluster.storeAway(ms);
    const { staying } = cluster;
    const node = staying[index % staying.length];
    if (!node) return;
    if (kind === 'kill') return cluster.kill(node);
    if (kind === 'drain') return void cluster.drain(node);
    if (kind === 'pause') cluster.pause(node, ms);
    else cluster.jump(node, ms);
  }

  /** No more faults, and at least one node: then everything has to come to rest. */
  private async rest(): Promise<void> {
    const { cluster, time } = this;
    Object.assign(cluster.faults, { lostRequests: 0, lostReplies: 0, lostHints: 0, doubledHints: 0, slow: 0, awayUntil: 0 });
    if (!cluster.staying.some(({ parts }) => parts.process.pausedUntil <= time.now)) cluster.boot();
    this.isCalm = true;
    const end = time.now + REST_MS;
    await time.run(end, () => this.open === 0 && this.readable().every(isAtRest));
    // What is done in the background by then, such as striking a task off the run index.
    await time.run(time.now + 500);
    // Where hints were lost, a push may wait for the next reading of what is watched.
    await time.run(time.now + RECONCILE_MS, () => this.stories.every((story) => story.heardLast()));
  }

  /** Every node leaves, the last one when it has looked after the others. */
  private async leave(): Promise<Pick<Remains, 'deadSessions' | 'entries'>> {
    const { cluster, time } = this;
    for (const story of this.stories) story.end();
    await time.run(Math.max(time.now, ...cluster.living.map(({ parts }) => parts.process.pausedUntil)) + 1);
    const [last, ...others] = cluster.staying;
    for (const node of others) void cluster.drain(node);
    const end = time.now + UNSURE_MS + RECONCILE_MS;
    let left = await this.index();
    while (time.now < end && (left.entries > 0 || left.deadSessions.length > 0)) {
      await time.run(time.now + 250);
      left = await this.index();
    }
    if (last) void cluster.drain(last);
    await time.run(time.now + 10_000);
    return left;
  }

  /** What stands in the run index now, under sessions that left and under any. */
  private async index(): Promise<Pick<Remains, 'deadSessions' | 'entries'>> {
    const { runIndex } = this.cluster.server.store;
    const sessions = [...this.history.lives.values()].flatMap((life) => life.sessions);
    const entries = await Promise.all(sessions.map((session) => runIndex.runningOf(session, 100)));
    const gone = new Set(
      [...this.history.lives.values()].filter(({ diedAt, leftAt }) => diedAt ?? leftAt).flatMap((life) => life.sessions),
    );
    const known = await runIndex.sessions();
    const dead = known.filter(({ session, sign }) => sign === undefined || gone.has(session)).map(({ session }) => session);
    return { deadSessions: dead, entries: entries.flat().length };
  }

  private async expire(): Promise<number> {
    await this.time.run(this.begin + 400_000);
    return this.cluster.server.store.size;
  }

  private readable(): TaskRecord[] {
    return [...this.history.latest.keys()].map((key) => this.history.readable(key, this.time.now)).filter((record) => record !== undefined);
  }
}

/** Whether nothing is to come of the task by itself. */
export function isAtRest({ status }: TaskRecord): boolean {
  return isTerminal(status) || status === 'input_required';
}

function loggerTo(onEvent: (line: string) => void): {
  log: (text: unknown) => void;
  warn: (text: unknown) => void;
  error: (text: unknown) => void;
} {
  const say = (text: unknown): void => onEvent(`  ${String(text).replace(/errorId [-0-9a-f]+/, 'errorId')}`);
  return { log: say, warn: say, error: say };
}
