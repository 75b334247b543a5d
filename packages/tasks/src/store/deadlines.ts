import type { CancelTimer, Clock } from './clock.js';

/** Keys in the order of their deadlines: a binary min-heap in two flat arrays, which cost 16 bytes an entry. A key may stand in it twice. */
export class DeadlineHeap<K> {
  private deadlines: number[] = [];
  private keys: K[] = [];

  get size(): number {
    return this.keys.length;
  }

  /** The earliest deadline; undefined if there is none. */
  get earliest(): number | undefined {
    return this.deadlines[0];
  }

  /** @returns how many it holds now */
  push(key: K, deadline: number): number {
    this.deadlines.push(deadline);
    const size = this.keys.push(key);
    let child = size - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (this.deadlines[parent]! <= deadline) break;
      this.swap(parent, child);
      child = parent;
    }
    return size;
  }

  /** Takes out the key with the earliest deadline. */
  pop(): K | undefined {
    const top = this.keys[0];
    const lastDeadline = this.deadlines.pop();
    const lastKey = this.keys.pop();
    if (this.size > 0) {
      this.deadlines[0] = lastDeadline as number;
      this.keys[0] = lastKey as K;
      this.siftDown(0);
    }
    return top;
  }

  clear(): void {
    this.deadlines = [];
    this.keys = [];
  }

  private siftDown(start: number): void {
    let parent = start;
    for (;;) {
      const left = 2 * parent + 1;
      if (left >= this.size) return;
      const right = left + 1;
      const child = right < this.size && this.at(right) < this.at(left) ? right : left;
      if (this.at(parent) <= this.at(child)) return;
      this.swap(parent, child);
      parent = child;
    }
  }

  private at(index: number): number {
    return this.deadlines[index] as number;
  }

  private swap(a: number, b: number): void {
    [this.deadlines[a], this.deadlines[b]] = [this.at(b), this.at(a)];
    [this.keys[a], this.keys[b]] = [this.keys[b] as K, this.keys[a] as K];
  }
}

/** So many entries of deleted tasks the heap may hold, beyond as many as there are tasks, before it is rebuilt. */
const SLACK = 1024;

/** The most that one turn of the event loop removes. */
const BATCH = 5000;
/** Milliseconds between two batches when more is due, so that requests are served in between and yet no backlog grows. */
const NEXT_BATCH_MS = 10;

/** A store that can be swept. */
export interface Sweepable<K> {
  readonly entries: { readonly size: number };
  /** All keys and their deadlines; null for none. */
  deadlines(): Iterable<readonly [K, number | null]>;
  /** Removes the entry if its time is over: its deadline may have moved, or it may be gone. Never throws. */
  expire(key: K): void;
}

/** Removes expired entries, with one timer for all and without looking at entries that are not due. */
export class ExpirySweeper<K> {
  private readonly heap = new DeadlineHeap<K>();
  private timer: { readonly at: number; readonly cancel: CancelTimer } | undefined;
  private closed = false;

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'setTimer'>,
    private readonly target: Sweepable<K>,
    /** The least time between two sweeps: reading decides about life, so removing may wait and be done together. */
    private readonly intervalMs: number,
  ) {}

  /** The earliest deadline, of an entry that may be gone. */
  get earliest(): number | undefined {
    return this.heap.earliest;
  }

  /** Notes an entry, or its new deadline. The old deadline stays in the heap without effect. */
  track(key: K, deadline: number | null): void {
    if (deadline === null) return;
    if (this.heap.push(key, deadline) > 2 * this.target.entries.size + SLACK) this.rebuild();
    if (this.timer === undefined || deadline < this.timer.at) this.schedule();
  }

  /** Lets go of the timer and the entries once nothing is left to sweep. */
  untrack(): void {
    if (this.target.entries.size === 0) this.heap.clear();
    this.schedule();
  }

  /** Removes entries that are due, at most a batch. */
  sweep(): void {
    const now = this.clock.now();
    for (let left = BATCH; left > 0 && this.isDue(now); left--) this.target.expire(this.heap.pop() as K);
    // Each removal has planned a sweep after the usual time.
    this.stopTimer();
    this.schedule(this.isDue(now) ? NEXT_BATCH_MS : this.intervalMs);
  }

  /** Stops permanently. */
  close(): void {
    this.closed = true;
    this.stopTimer();
  }

  private isDue(now: number): boolean {
    return this.heap.earliest !== undefined && this.heap.earliest < now;
  }

  private rebuild(): void {
    this.heap.clear();
    for (const [key, deadline] of this.target.deadlines()) {
      if (deadline !== null) this.heap.push(key, deadline);
    }
  }

  private schedule(leastMs = this.intervalMs): void {
    const { earliest } = this.heap;
    if (earliest === undefined || this.closed) return this.stopTimer();
    if (this.timer !== undefined && this.timer.at <= earliest) return;
    this.stopTimer();
    // One past the deadline, at which the entry still lives.
    const delay = Math.max(earliest + 1 - this.clock.now(), leastMs);
    const cancel = this.clock.setTimer(() => {
      this.timer = undefined;
      this.sweep();
    }, delay);
    this.timer = { at: earliest, cancel };
  }

  private stopTimer(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }
}
