import { Logger } from '@nestjs/common';
import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import { isShutdown } from '../dispatch/exchange.js';
import { describeThrown } from '../errors/thrown.js';
import type { McpResult } from '../protocol/messages.js';
import { Method } from '../protocol/vocabulary.js';
import { Subscription, subscriptionMeta } from '../subscriptions/subscription.js';
import type { SubscriptionLimits } from '../subscriptions/subscription-limits.js';
import { honouredFilter, type SubscriptionRouter, type TopicWish } from '../subscriptions/subscription-router.js';

/**
 * `subscriptions/listen` (MCP basic/utilities/subscriptions): acknowledges what it honours and then says what changes, until the client leaves or
 * the server shuts down. Only then is the request answered. Nothing of a stream outlives it.
 */
export class ListenMethod implements McpMethod {
  readonly name = Method.Listen;
  private readonly logger = new Logger('McpSubscriptions');

  constructor(
    private readonly router: SubscriptionRouter,
    private readonly limits: SubscriptionLimits,
  ) {}

  async handle(context: DispatchContext): Promise<McpResult> {
    const wishes = this.router.read(context);
    const giveBack = this.limits.take(context.principal);
    try {
      return await this.listen(context, wishes);
    } finally {
      giveBack();
    }
  }

  private async listen(context: DispatchContext, wishes: readonly TopicWish[]): Promise<McpResult> {
    const { id, exchange } = context;
    const { signal } = exchange;
    const topics = await this.router.honour(wishes, context);
    signal.throwIfAborted();
    const subscription = new Subscription({
      id,
      notifications: exchange.notifications,
      failed: (error) => this.logger.error('A subscription topic failed', describeThrown(error)),
    });
    const stops: (() => void)[] = [];
    try {
      subscription.acknowledge(honouredFilter(topics));
      for (const topic of topics) stops.push(topic.start(subscription.sinkOf(topic.filterKey)));
      await aborted(signal);
    } finally {
      subscription.close();
      for (const stop of stops) stop();
    }
    if (!isShutdown(signal)) throw signal.reason;
    return { resultType: 'complete', _meta: subscriptionMeta(id) };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
