import type { Writable } from 'node:stream';
import type { NotificationMessage } from '../../protocol/messages.js';
import { StalledFrames } from '../replying/notifications.js';

type Push = (text: string, done: (error?: Error | null) => void) => boolean;

/**
 * Writes the lines of the stdio transport. While the reader is stalled, notifications wait per request in `StalledFrames` and are dropped
 * there rather than pile up; replies are always written, and the caller stops reading requests meanwhile, so these are few.
 */
export class LineWriter {
  private readonly push: Push;
  private readonly waiting = new Map<object, StalledFrames>();
  private stalled = false;
  private isBroken = false;

  /** Takes the output's own `write` now: afterwards the guard of stdout sends everybody else's writes elsewhere. */
  constructor(
    private readonly output: Writable,
    private readonly onFlow: (isFlowing: boolean) => void,
  ) {
    this.push = output.write.bind<Push>(output);
    output.on('drain', this.drain);
  }

  get isStalled(): boolean {
    return this.stalled;
  }

  notify(owner: object, message: NotificationMessage): void {
    const line = `${JSON.stringify(message)}\n`;
    if (!this.stalled) return this.write(line);
    const frames = this.waiting.get(owner) ?? new StalledFrames();
    this.waiting.set(owner, frames);
    frames.add(message, line);
  }

  /** Writes the last line of a request behind what still waits of it, and says whether it was written. */
  reply(owner: object, text: string, onWritten: (reached: boolean) => void): void {
    const waiting = this.waiting.get(owner)?.take() ?? '';
    this.waiting.delete(owner);
    this.write(`${waiting}${text}\n`, onWritten);
  }

  /** Drops what waits of a request of which nothing more is sent. */
  discard(owner: object): void {
    this.waiting.delete(owner);
  }

  /** Resolves when every line has left, at the latest after `ms`, and takes no more. */
  async flushed(ms: number): Promise<void> {
    if (!this.isBroken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.push('', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    this.break();
    this.output.off('drain', this.drain);
  }

  /** The output is gone: from here on nothing is written. */
  break(): void {
    this.isBroken = true;
    this.waiting.clear();
  }

  private write(text: string, onWritten?: (reached: boolean) => void): void {
    if (this.isBroken) {
      onWritten?.(false);
      return;
    }
    const isFlowing = this.push(text, (error) => onWritten?.(!error));
    if (isFlowing || this.stalled) return;
    this.stalled = true;
    this.onFlow(false);
  }

  private readonly drain = (): void => {
    if (!this.stalled) return;
    this.stalled = false;
    const owners = [...this.waiting];
    this.waiting.clear();
    const text = owners.map(([, frames]) => frames.take()).join('');
    if (text !== '') this.write(text);
    if (this.stalled) return;
    this.onFlow(true);
  };
}
