import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { JsonObject, JsonValue } from '../protocol/json.js';

/** A notification of a topic, before it is tagged with the subscription it goes to. */
export interface TopicNotification {
  readonly method: string;
  readonly params?: JsonObject;
}

/** Where a topic says what has changed: one stream of one client. */
export interface SubscriptionSink {
  /**
   * Says that what `key` names has changed. `render` gives the notification when it can be sent: at once, or when a reader that has stalled
   * has caught up. Until then a later call under the same key takes the place of the former, so a slow reader costs one entry for each
   * key and finds the latest state. Undefined sends nothing. Harmless once the stream has ended.
   */
  emit(key: string, render: () => TopicNotification | undefined): void;
}

/** A topic as one stream hears it. */
export interface HonouredTopic {
  /** The honoured part of the wish, which the acknowledgement shows under the topic's key. */
  readonly honoured: JsonValue;
  /** Begins to emit. Called once, when the acknowledgement is on its way, and never for a client that has left before. @returns what ends it */
  start(sink: SubscriptionSink): () => void;
}

/**
 * Adds a topic to `subscriptions/listen` (MCP basic/utilities/subscriptions), at start-up (`@McpSeam('subscription-contributor')`).
 * A filter key that exists already fails the boot and names both.
 */
export interface SubscriptionContributor<Wish = unknown> {
  /** The member of the filter (`params.notifications`) by which a client asks for the topic. */
  readonly filterKey: string;
  /**
   * An extension that users of the key must have declared on the request; otherwise the answer is `-32021`, whatever
   * the value.
   */
  readonly requiredExtension?: string;
  /** Reads the value under the key. @throws McpError -32602 when it is malformed */
  parse(value: JsonValue): Wish;
  /**
   * Decides which part of the wish this caller gets. Undefined leaves the key out of the acknowledgement: the topic
   * isn't supported. Things that a caller may not watch are left out without an error, exactly like things that don't
   * exist.
   */
  honour(wish: Wish, context: DispatchContext): HonouredTopic | undefined | Promise<HonouredTopic | undefined>;
}
