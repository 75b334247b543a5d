import type { NotificationMessage } from '../../src/protocol/messages.js';
import { StalledFrames } from '../../src/transport/replying/notifications.js';

const KIB = 1024;
const message: NotificationMessage = { jsonrpc: '2.0', method: 'notifications/message' };

describe('what waits for a stalled reader', () => {
  it('is at most 64 KiB, the newest of it', () => {
    const frames = new StalledFrames();
    for (let index = 0; index < 200; index++) frames.add(message, `${index}:`.padEnd(KIB, 'x'));
    const waiting = frames.take();
    expect(waiting).toHaveLength(64 * KIB);
    expect(waiting.startsWith('136:')).toBe(true);
  });

  it('is one message when that alone is longer', () => {
    const frames = new StalledFrames();
    frames.add(message, 'small');
    frames.add(message, 'x'.repeat(100 * KIB));
    expect(frames.take()).toHaveLength(100 * KIB);
  });

  it('is counted anew once it was taken, and what is said again counts once', () => {
    const frames = new StalledFrames();
    for (let round = 0; round < 5; round++) {
      for (let index = 0; index < 100; index++) frames.add(message, 'x'.repeat(60 * KIB));
      frames.add(message, `last${round}`);
      expect(frames.take()).toHaveLength(60 * KIB + 5);
    }
  });
});
