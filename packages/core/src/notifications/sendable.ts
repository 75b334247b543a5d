import { notificationMisfit } from '../protocol/shapes/notifications.js';
import type { NotificationMessage } from '../protocol/messages.js';

/** Told why a notification is not sent. */
export type MisfitLog = (why: string) => void;

/**
 * The boundary of every notification on its way out, whatever carries it: whether it is of the revision's shape. One that is not is dropped and
 * `log` is told the place, since a client that refuses it may end the connection.
 */
export function isSendable(message: NotificationMessage, log: MisfitLog): boolean {
  const misfit = notificationMisfit(message);
  if (misfit !== undefined) log(`A notification does not conform to the protocol and is not sent (${message.method}): ${misfit}`);
  return misfit === undefined;
}
