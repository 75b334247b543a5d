import { Logger } from '@nestjs/common';
import { isSendable } from '../notifications/sendable.js';
import type { NotificationMessage } from '../protocol/messages.js';

const logger = new Logger('McpNotifications');

/** Whether a transport may send the notification; logged when it may not. */
export function passesBoundary(message: NotificationMessage): boolean {
  return isSendable(message, (why) => logger.error(why));
}
