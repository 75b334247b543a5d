import { isJsonObject } from '../json.js';
import { LOG_LEVELS, Method } from '../vocabulary.js';
import { SUBSCRIPTION_ID_META_KEY } from '../official.js';
import { anyObject, both, misfitText, number, object, oneOf, present, type Shape, string, token, uri } from './shape.js';

const anyNotification = object({ method: string }, { params: object({}, { _meta: object({}, { [SUBSCRIPTION_ID_META_KEY]: token }) }) });

const params = (required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape =>
  object({ params: object(required, optional) });

const KNOWN: Readonly<Record<string, Shape>> = {
  [Method.Progress]: params({ progressToken: token, progress: number }, { total: number, message: string }),
  [Method.LogMessage]: params({ level: oneOf(...LOG_LEVELS), data: present }, { logger: string }),
  [Method.ResourceUpdated]: params({ uri }),
  [Method.SubscriptionAcknowledged]: params({ notifications: anyObject }),
  [Method.Cancelled]: params({ requestId: token }, { reason: string }),
};

const checks = new Map<unknown, Shape>(Object.entries(KNOWN).map(([method, check]) => [method, both(anyNotification, check)]));

/** Why a notification is not of the revision's shape, for a log; undefined when it is. One that an extension adds is checked as any notification. */
export function notificationMisfit(message: unknown): string | undefined {
  const check = isJsonObject(message) ? checks.get(message.method) : undefined;
  const found = (check ?? anyNotification)(message);
  return found && misfitText(found, 'the notification');
}
