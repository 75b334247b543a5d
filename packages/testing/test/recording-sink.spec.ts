import { RecordingNotificationSink, RecordingProgressSink } from '@mocapi/testing';

describe('recording sinks', () => {
  it('keep what they are told, in order', () => {
    const progress = new RecordingProgressSink();
    const notifications = new RecordingNotificationSink();
    for (const n of [1, 2]) progress.report({ progress: n, total: 2 });
    notifications.notify({ jsonrpc: '2.0', method: 'notifications/tasks' });
    expect(progress.updates).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
    expect(notifications.messages).toEqual([{ jsonrpc: '2.0', method: 'notifications/tasks' }]);
  });
});
