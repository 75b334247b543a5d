import { Logger } from '@nestjs/common';
import type { NotificationMessage } from '../../protocol/messages.js';
import { notificationMisfit } from '../../protocol/shapes/notifications.js';
import { Method } from '../../protocol/vocabulary.js';

const logger = new Logger('McpNotifications');

/**
 * Whether a transport may send the notification: it conforms to the revision's shape. One that does not is dropped and
 * logged with the place, because a client that rejects it may end the connection.
 */
export function passesBoundary(message: NotificationMessage): boolean {
  const misfit = notificationMisfit(message);
  if (misfit !== undefined) {
    logger.error(`A notification does not conform to the protocol and is not sent (${message.method}): ${misfit}`);
  }
  return misfit === undefined;
}

const MAX_FRAMES = 256;
const MAX_CHARACTERS = 64 * 1024;

interface Waiting {
  readonly message: NotificationMessage;
  readonly frame: string;
}

/**
 * Frames that wait for a stalled reader, without growing: only the latest progress report, one of several equal
 * notifications, and of everything else the newest few hundred, up to 64 KiB unless the newest alone is longer.
 */
export class StalledFrames {
  private readonly frames = new Map<string, Waiting>();
  private characters = 0;

  add(message: NotificationMessage, frame: string): void {
    const key = message.method === Method.Progress ? Method.Progress : frame;
    // Deleted first, so that a repeated frame moves to the end and frames are sent in the order in which they came.
    this.drop(key);
    this.frames.set(key, { message, frame });
    this.characters += frame.length;
    while (this.frames.size > MAX_FRAMES || (this.characters > MAX_CHARACTERS && this.frames.size > 1)) this.dropOldest();
  }

  /** All that waits, as one piece; empty when nothing does. */
  take(): string {
    return this.takeAll()
      .map(({ frame }) => frame)
      .join('');
  }

  /** The same as messages, for who does not frame them. */
  takeMessages(): readonly NotificationMessage[] {
    return this.takeAll().map(({ message }) => message);
  }

  private takeAll(): readonly Waiting[] {
    const all = [...this.frames.values()];
    this.frames.clear();
    this.characters = 0;
    return all;
  }

  private dropOldest(): void {
    for (const key of this.frames.keys()) return this.drop(key);
  }

  private drop(key: string): void {
    this.characters -= this.frames.get(key)?.frame.length ?? 0;
    this.frames.delete(key);
  }
}
