import type { HonouredTopic, SubscriptionSink, TopicNotification } from '@mocapi/core/extension';
import type { SimulatedNode } from './simulated-node.js';

const TOLD_AGAIN_MS = 2000;

/** A node that believes every state to be past its deadline by the time it is told. */
export function tellsExpiryEarly(node: SimulatedNode): void {
  const { clock } = node.parts;
  let hours = 0;
  const hasty = Object.create(clock, { elapsed: { value: () => clock.elapsed() + 3_600_000 * (hours += 1) } });
  Object.assign(node.subscriptions, { clock: hasty });
}

/** A node that tells again what it told as the last word. */
export function tellsExpiryTwice(node: SimulatedNode): void {
  const { subscriptions } = node;
  const honour = subscriptions.honour.bind(subscriptions);
  subscriptions.honour = async (wish, context) => withSink(await honour(wish, context), (sink) => repeating(node, sink));
}

function withSink(topic: HonouredTopic | undefined, change: (sink: SubscriptionSink) => SubscriptionSink): HonouredTopic | undefined {
  return topic && { honoured: topic.honoured, start: (sink) => topic.start(change(sink)) };
}

function repeating(node: SimulatedNode, sink: SubscriptionSink): SubscriptionSink {
  const again = (key: string, said: TopicNotification | undefined): TopicNotification | undefined => {
    if (said?.params?.statusMessage === 'Task expired') node.parts.clock.setTimer(() => sink.emit(key, () => said), TOLD_AGAIN_MS);
    return said;
  };
  return { emit: (key, render) => sink.emit(key, () => again(key, render())) };
}
