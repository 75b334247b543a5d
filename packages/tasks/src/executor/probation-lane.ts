import type { CancelTimer, Clock } from '../store/clock.js';
import type { TaskSlot } from './task-executor.js';

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
   * @param acquitted called when it has had its turn for as long as the next one waits, and nothing happened
   */
  reserve(reserve: () => TaskSlot, acquitted: () => void): TaskSlot {
    let leave = (): void => undefined;
    let isReleased = false;
    const ready = this.turn((cancel) => (leave = cancel), acquitted).then((end) => {
      const slot = reserve();
      leave = () => {
        end();
        slot.release();
      };
      if (isReleased) leave();
      return slot.ready;
    });
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      leave();
    };
    return { ready, release };
  }

  /** Resolves when it is this one's turn, to what ends it; `cancellable` is given what leaves the queue before that. */
  private async turn(cancellable: (leave: () => void) => void, acquitted: () => void): Promise<() => void> {
    if (this.isTaken) {
      await new Promise<void>((resolve) => {
        this.waiting.add(resolve);
        cancellable(() => void this.waiting.delete(resolve));
      });
    }
    this.isTaken = true;
    const cancel: CancelTimer = this.clock.setTimer(() => {
      acquitted();
      end();
    }, this.patienceMs);
    let hasEnded = false;
    const end = (): void => {
      cancel();
      if (!hasEnded) this.next();
      hasEnded = true;
    };
    return end;
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
