import { Method } from '../protocol/method-names.js';
import type { NotificationMessage } from '../protocol/messages.js';

const MAX_FRAMES = 256;
const MAX_CHARACTERS = 64 * 1024;

/**
 * What waits for a reader that has stalled, without growing with what is said meanwhile: of progress only the latest report, of
 * notifications that say the same only one, and of everything else the newest few hundred, up to 64 KiB unless the newest alone is longer.
 */
export class StalledFrames {
  private readonly frames = new Map<string, string>();
  private characters = 0;

  add(message: NotificationMessage, frame: string): void {
    const key = message.method === Method.Progress ? Method.Progress : frame;
    // Deleted first, so that what is said again moves to the end and the order of what is sent stays the order of what was said.
    this.drop(key);
    this.frames.set(key, frame);
    this.characters += frame.length;
    while (this.frames.size > MAX_FRAMES || (this.characters > MAX_CHARACTERS && this.frames.size > 1)) this.dropOldest();
  }

  /** All that waits, as one piece; empty when nothing does. */
  take(): string {
    if (this.frames.size === 0) return '';
    const text = [...this.frames.values()].join('');
    this.frames.clear();
    this.characters = 0;
    return text;
  }

  private dropOldest(): void {
    for (const key of this.frames.keys()) return this.drop(key);
  }

  private drop(key: string): void {
    this.characters -= this.frames.get(key)?.length ?? 0;
    this.frames.delete(key);
  }
}
