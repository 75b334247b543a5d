import type { NotificationMessage, NotificationSink, ProgressSink, ProgressUpdate } from '@mocapi/core/extension';

/** Keeps every progress report, in order. */
export class RecordingProgressSink implements ProgressSink {
  readonly updates: ProgressUpdate[] = [];

  report(update: ProgressUpdate): void {
    this.updates.push(update);
  }
}

/** Keeps every notification, in order. */
export class RecordingNotificationSink implements NotificationSink {
  readonly messages: NotificationMessage[] = [];

  notify(message: NotificationMessage): void {
    this.messages.push(message);
  }
}
