import type { CancelTimer, Clock } from '../store/clock.js';
import { firstGroup, groupSize } from '../record/run-life.js';
import type { TaskSlot } from './task-executor.js';

/** A slot in the lane. */
export interface LastTrySlot extends TaskSlot {
  /** How many begin together, this one included; known once the slot is ready. */
  readonly group: number;
  /** Its body is entered: from now on the next ones wait no longer than the patience. */
  begun(): void;
}

/** A suspect, as the lane sees it. */
export interface Suspect {
  /** The most it may begin with, itself included; undefined for one that was not tried before. */
  readonly limit: number | undefined;
  /** Asked for a slot when it is its turn. */
  reserve(): TaskSlot;
  /** Called when it has run for as long as the next ones wait, and nothing happened. @returns whether it is trusted: a death is not held against it any more */
  survived(): boolean;
}

/** For how many patiences an expired suspect may delay suspects that may not begin beside it. */
const HELD_UP = 3;

/**
 * The lane of last tries, of tasks that may be the cause of their nodes' deaths: they begin a group at a time, so that
 * a death reveals the group of its cause. The next group begins when all of the previous one have ended, or have run
 * for `patienceMs` without harm.
 */
export class LastTryLane {
  private readonly waiting = new Set<LastTry>();
  /** The group at hand. */
  private readonly trying = new Set<LastTry>();
  /** Their time is over, but a death would still be held against them. */
  private readonly suspected = new Set<LastTry>();
  private readonly turns: Turns;
  private gathering = 0;

  constructor(clock: Clock, patienceMs: number) {
    this.turns = {
      clock,
      patienceMs,
      timeIsUp: (member, isTrusted) => this.passOn(member, isTrusted),
      isHarmless: (member) => this.letGoOf(member),
      ended: (member) => this.leave(member),
    };
  }

  /** How many wait for their turn. */
  get size(): number {
    return this.waiting.size;
  }

  /** Forms no group while `work` runs, so that all its suspects are known first. */
  async gather<T>(work: () => Promise<T>): Promise<T> {
    this.gathering += 1;
    try {
      return await work();
    } finally {
      this.gathering -= 1;
      this.form();
    }
  }

  /** A slot that is ready once its group has its turn and `reserve`, asked for a slot only then, has one. */
  reserve(suspect: Suspect): LastTrySlot {
    const member = new LastTry(suspect, this.turns);
    this.waiting.add(member);
    this.form();
    return member;
  }

  /** Begins the next group, if it is its turn. */
  private form(): void {
    if (this.gathering > 0 || this.trying.size > 0 || this.waiting.size === 0) return;
    const besides = this.suspected.size;
    const untried = [...this.waiting].filter(({ limit }) => limit === undefined);
    for (const member of untried) member.limit = firstGroup(untried.length) + besides;
    const members = [...this.waiting];
    const size = groupSize(
      members.map(({ limit }) => limit!),
      besides,
    );
    const group = members.slice(0, size);
    for (const member of group) {
      this.waiting.delete(member);
      this.trying.add(member);
      // A death would be held against those as well.
      member.group = group.length + besides;
    }
    for (const member of group) member.start();
  }

  private leave(member: LastTry): void {
    this.waiting.delete(member);
    const wasSuspected = this.suspected.delete(member);
    if (this.trying.delete(member) || wasSuspected) this.form();
  }

  private passOn(member: LastTry, isTrusted: boolean): void {
    if (!isTrusted) this.suspected.add(member);
    if (this.trying.delete(member)) this.form();
  }

  /** It holds up nobody any longer; its own record still says with how many it began. */
  private letGoOf(member: LastTry): void {
    if (this.suspected.delete(member)) this.form();
  }
}

/** What a member tells the lane. */
interface Turns {
  readonly clock: Clock;
  readonly patienceMs: number;
  /** It ran for the patience. */
  timeIsUp(member: LastTry, isTrusted: boolean): void;
  /** It ran for so long that nobody waits for it any more, though it is not trusted. */
  isHarmless(member: LastTry): void;
  ended(member: LastTry): void;
}

/** One suspect in the lane: it waits for its turn, then for a slot, then runs until it is released. */
class LastTry implements LastTrySlot {
  /** Gives it its turn. */
  start!: () => void;
  limit: number | undefined;
  group = 1;
  readonly ready: Promise<void>;
  private slot: TaskSlot | undefined;
  private cancelTimer: CancelTimer | undefined;
  private isReleased = false;

  constructor(
    private readonly suspect: Suspect,
    private readonly turns: Turns,
  ) {
    this.limit = suspect.limit;
    this.ready = new Promise<void>((resolve) => (this.start = resolve)).then(() => this.takeSlot());
  }

  begun(): void {
    if (!this.isReleased) this.cancelTimer = this.turns.clock.setTimer(() => this.timeIsUp(), this.turns.patienceMs);
  }

  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.cancelTimer?.();
    this.slot?.release();
    this.turns.ended(this);
  }

  private async takeSlot(): Promise<void> {
    // A slot that was given back never settles.
    if (this.isReleased) return new Promise<never>(() => undefined);
    this.slot = this.suspect.reserve();
    await this.slot.ready;
  }

  private timeIsUp(): void {
    const { clock, patienceMs } = this.turns;
    const isTrusted = this.suspect.survived();
    if (!isTrusted) this.cancelTimer = clock.setTimer(() => this.turns.isHarmless(this), HELD_UP * patienceMs);
    this.turns.timeIsUp(this, isTrusted);
  }
}
