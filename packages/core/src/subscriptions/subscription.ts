import type { NotificationSink } from '../notifications/sinks.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';
import type { RequestId } from '../protocol/messages.js';
import { Method } from '../protocol/vocabulary.js';
import { SUBSCRIPTION_ID_META_KEY } from '../protocol/official.js';
import type { SubscriptionSink, TopicNotification } from './subscription-contributor.js';

/** Parts of a subscription. */
export interface SubscriptionParts {
  /** The id of the `subscriptions/listen` request, with its JSON type. */
  readonly id: RequestId;
  /** The stream of that request. */
  readonly notifications: NotificationSink;
  /**
   * Receives the error of a topic that failed to render a notification; the stream continues without that
   * notification.
   */
  readonly failed: (error: unknown) => void;
}

/**
 * One open stream (MCP basic/utilities/subscriptions). It keeps no message: a pending message is a key and a function
 * that renders it, and it is rendered when the reader can take it. All changes within one turn, or while the reader is
 * stalled, are sent once for each key.
 */
export class Subscription {
  private readonly pending = new Map<string, () => TopicNotification | undefined>();
  private state: 'opening' | 'open' | 'closed' = 'opening';
  private scheduled = false;

  constructor(private readonly parts: SubscriptionParts) {}

  /** Sends the acknowledgement, which is the first message of the stream. */
  acknowledge(honoured: JsonObject): void {
    const { notifications } = this.parts;
    this.send({ method: Method.SubscriptionAcknowledged, params: { notifications: honoured } });
    notifications.onDrain?.(() => this.flush());
    this.state = 'open';
    this.schedule();
  }

  /** Where the topic of this filter key emits. */
  sinkOf(filterKey: string): SubscriptionSink {
    return {
      emit: (key, render) => {
        if (this.state === 'closed') return;
        this.pending.set(`${filterKey}\0${key}`, render);
        this.schedule();
      },
    };
  }

  /** Nothing is sent from here on. */
  close(): void {
    this.state = 'closed';
    this.pending.clear();
  }

  private schedule(): void {
    if (this.scheduled || this.state !== 'open') return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      this.flush();
    });
  }

  private flush(): void {
    for (const [key, render] of this.pending) {
      if (this.parts.notifications.isStalled === true) return;
      this.pending.delete(key);
      try {
        const notification = render();
        if (notification !== undefined) this.send(notification);
      } catch (error) {
        this.parts.failed(error);
      }
    }
  }

  private send({ method, params }: TopicNotification): void {
    this.parts.notifications.notify({ jsonrpc: '2.0', method, params: { ...params, _meta: subscriptionMeta(this.parts.id, params) } });
  }
}

/** `_meta` with the subscription's id, which every message of a stream carries, its final result included. */
export function subscriptionMeta(id: RequestId, { _meta }: JsonObject = {}): JsonObject {
  const own = isJsonObject(_meta) ? _meta : {};
  return { ...own, [SUBSCRIPTION_ID_META_KEY]: id };
}
