import type { CancelTimer, Clock } from '../store/clock.js';
import type { TaskSlot } from './task-executor.js';

/** What a slot in the lane does when it is its turn. */
interface Turn {
  /** It has a place, and runs: from now on the next one waits no longer than the patience. */
  begin(): void;
  /** Lets the next one begin. Harmless when called again. */
  end(): void;
}

/**
 * Where tasks begin that may be what their nodes die of: one after the other, so that a death tells which it was. The next begins when the one before has
 * ended, or has run for `patienceMs` and nothing happened.
 */
export class ProbationLane {
  private readonly waiting = new Set<() => void>();
  private isTaken = false;

  constructor(
    private readonly clock: Clock,
    private readonly patienceMs: number,
  ) {}

  /**
   * A slot that is ready once it is this one's turn and `reserve`, asked for a place only then, has one.
   * @param acquitted called when it has run for as long as the next one waits, and nothing happened
   */
  reserve(reserve: () => TaskSlot, acquitted: () => void): TaskSlot {
    let leave = (): void => undefined;
    let isReleased = false;
    const ready = this.turn((cancel) => (leave = cancel), acquitted).then(async (turn) => {
      const slot = reserve();
      leave = () => {
        turn.end();
        slot.release();
      };
      if (isReleased) leave();
      await slot.ready;
      turn.begin();
    });
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      leave();
    };
    return { ready, release };
  }

  /** Resolves when it is this one's turn; `cancellable` is given what leaves the queue before that. */
  private async turn(cancellable: (leave: () => void) => void, acquitted: () => void): Promise<Turn> {
    if (this.isTaken) {
      await new Promise<void>((resolve) => {
        this.waiting.add(resolve);
        cancellable(() => void this.waiting.delete(resolve));
      });
    }
    this.isTaken = true;
    let cancel: CancelTimer = () => undefined;
    let hasEnded = false;
    const end = (): void => {
      cancel();
      if (!hasEnded) this.next();
      hasEnded = true;
    };
    const acquit = (): void => {
      acquitted();
      end();
    };
    const begin = (): void => {
      if (!hasEnded) cancel = this.clock.setTimer(acquit, this.patienceMs);
    };
    return { begin, end };
  }

  private next(): void {
    const [begin] = this.waiting;
    if (!begin) {
      this.isTaken = false;
      return;
    }
    this.waiting.delete(begin);
    begin();
  }
}
