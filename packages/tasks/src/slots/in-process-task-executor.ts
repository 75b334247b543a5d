import { abandonedPerPrincipal } from '../options/resolve-tasks-options.js';
import { AbandonedBodies } from './abandoned-bodies.js';
import { FairQueue } from './fair-queue.js';
import { TaskExecutor, TaskExecutorFullError, type TaskExecutorLoad, type TaskReservation, type TaskSlot } from './task-executor.js';

/** Bounds of an executor. */
export interface InProcessTaskExecutorOptions {
  readonly maxRunning: number;
  /**
   * Beyond this number, an account with less than an equal share of the queue still gets in, up to twice the number.
   */
  readonly maxQueued: number;
  /** Bodies that go on after they were given up on; beyond it nothing new is taken. @default maxRunning */
  readonly maxAbandoned?: number;
  /** The same of one account; beyond it nothing new of that account is taken or begun. @default a quarter of maxAbandoned */
  readonly maxAbandonedPerPrincipal?: number;
}

/** Time after which a rejected caller should retry. */
const RETRY_AFTER_MS = 1000;
/** That of every slot that is free at once. */
const READY = Promise.resolve();
/** How far beyond `maxQueued` those get in who have less than their share. */
const OVERFULL = 2;

/**
 * Runs attempts in this process: up to `maxRunning` at once; the rest wait, those of one account in the order they came, and the accounts take turns.
 * What waits of an account with too many bodies that don't end is passed over until one of them has ended: its next body would keep its slot as well.
 * A slot is waiting, running or gone. It waits in `queue`; leaves it for `running` when one is free; and is gone once released, whichever it was.
 */
export class InProcessTaskExecutor extends TaskExecutor {
  private readonly queue = new FairQueue<() => void>();
  private readonly abandonedBodies: AbandonedBodies;
  private running = 0;

  constructor(private readonly options: InProcessTaskExecutorOptions) {
    super();
    const max = options.maxAbandoned ?? options.maxRunning;
    this.abandonedBodies = new AbandonedBodies(max, options.maxAbandonedPerPrincipal ?? abandonedPerPrincipal(max));
  }

  override reserve({ account = '', resumed = false }: TaskReservation = {}): TaskSlot {
    const bodies = this.abandonedBodies;
    const isHeld = bodies.mayBind && bodies.isFullOf(account);
    if (!resumed && bodies.mayBind && (isHeld || bodies.isFull)) throw new TaskExecutorFullError(RETRY_AFTER_MS);
    const waiting = isHeld || this.running >= this.options.maxRunning ? this.enqueue(account, resumed) : undefined;
    if (!waiting) this.running += 1;
    let isGone = false;
    const release = (): void => {
      if (isGone) return;
      isGone = true;
      if (waiting && this.queue.delete(account, waiting.begin)) return;
      this.running -= 1;
      if (this.queue.size > 0) this.fill();
    };
    return { ready: waiting?.ready ?? READY, isReady: !waiting, release };
  }

  private enqueue(account: string, resumed: boolean): { readonly ready: Promise<void>; readonly begin: () => void } {
    if (!resumed && !this.hasRoom(account)) throw new TaskExecutorFullError(RETRY_AFTER_MS);
    let begin!: () => void;
    const ready = new Promise<void>((resolve) => (begin = resolve));
    this.queue.add(account, begin);
    return { ready, begin };
  }

  override load(): TaskExecutorLoad {
    return { running: this.running, queued: this.queue.size, zombies: this.abandonedBodies.size };
  }

  override get free(): number {
    return this.options.maxRunning - this.running;
  }

  override abandoned(account = ''): (() => void) | undefined {
    const bodies = this.abandonedBodies;
    if (bodies.isFull || bodies.isFullOf(account)) return undefined;
    bodies.add(account);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      bodies.remove(account);
      this.fill();
    };
  }

  /** Whoever fills the queue must not keep the others out of it. */
  private hasRoom(account: string): boolean {
    const { maxQueued } = this.options;
    if (this.queue.size < maxQueued) return true;
    const share = Math.floor(maxQueued / this.queue.lanesWith(account));
    return this.queue.sizeOf(account) < share && this.queue.size < OVERFULL * maxQueued;
  }

  private fill(): void {
    while (this.running < this.options.maxRunning) {
      const next = this.queue.next((account) => this.abandonedBodies.isFullOf(account));
      if (!next) return;
      this.running += 1;
      next();
    }
  }
}
