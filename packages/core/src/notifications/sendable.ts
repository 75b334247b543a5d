import { notificationMisfit } from '../protocol/shapes/notifications.js';
import type { NotificationMessage } from '../protocol/messages.js';

/** Told why a notification is not sent. */
export type MisfitLog = (why: string) => void;

/**
 * Checks every notification on its way out, for every carrier, against the revision's shape. One that does not conform
 * is dropped and `log` gets the place, because a client that rejects it may end the connection.
 */
export function isSendable(message: NotificationMessage, log: MisfitLog): boolean {
  const misfit = notificationMisfit(message);
  if (misfit !== undefined) log(`A notification does not conform to the protocol and is not sent (${message.method}): ${misfit}`);
  return misfit === undefined;
}
