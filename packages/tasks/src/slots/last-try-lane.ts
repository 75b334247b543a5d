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

interface Member {
  limit: number | undefined;
  group: number;
  start(): void;
}

/**
 * The lane of last tries: of tasks that may be the cause of their nodes' deaths: they begin a group at a time, so that a death
 * reveals the group of its cause. The next group begins when all of the previous one have ended, or have run for
 * `patienceMs` without harm.
 */
export class LastTryLane {
  private readonly waiting = new Set<Member>();
  /** The group at hand. */
  private readonly trying = new Set<Member>();
  /** Their time is over, but a death would still be held against them. */
  private readonly suspected = new Set<Member>();
  private gathering = 0;

  constructor(
    private readonly clock: Clock,
    private readonly patienceMs: number,
  ) {}

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
    let start!: () => void;
    const turn = new Promise<void>((resolve) => (start = resolve));
    const member: Member = { limit: suspect.limit, group: 1, start };
    let slot: TaskSlot | undefined;
    let isReleased = false;
    let cancel: CancelTimer = () => undefined;
    const ready = turn.then(async () => {
      if (isReleased) return new Promise<never>(() => undefined);
      slot = suspect.reserve();
      await slot.ready;
    });
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      cancel();
      slot?.release();
      this.leave(member);
    };
    const timeIsUp = (): void => {
      if (!suspect.survived()) {
        this.suspected.add(member);
        cancel = this.clock.setTimer(() => this.letGoOf(member), HELD_UP * this.patienceMs);
      }
      this.passOn(member);
    };
    const begun = (): void => {
      if (!isReleased) cancel = this.clock.setTimer(timeIsUp, this.patienceMs);
    };
    this.waiting.add(member);
    this.form();
    return {
      ready,
      release,
      begun,
      get group() {
        return member.group;
      },
    };
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

  private leave(member: Member): void {
    this.waiting.delete(member);
    const wasSuspected = this.suspected.delete(member);
    if (this.trying.delete(member) || wasSuspected) this.form();
  }

  /** It holds up nobody any longer; its own record still says with how many it began. */
  private letGoOf(member: Member): void {
    if (this.suspected.delete(member)) this.form();
  }

  private passOn(member: Member): void {
    if (this.trying.delete(member)) this.form();
  }
}
