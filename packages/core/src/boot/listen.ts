import { Logger } from '@nestjs/common';
import { describeThrown } from '../errors/thrown.js';
import type { DefinitionFault } from '../errors/definition-fault.js';
import { ListenMethod } from '../methods/listen.method.js';
import { ResourceHearing } from '../methods/resource-hearing.js';
import type { Surface } from '../methods/surface.js';
import type { ResolvedMcpOptions } from '../options/resolve-mcp-options.js';
import type { ServerCapabilities } from '../protocol/official.js';
import type { SeamRegistry } from '../seams/seam-registry.js';
import { ListChangedTopic } from '../subscriptions/list-changed.topic.js';
import type { McpNotifier } from '../subscriptions/mcp-notifier.js';
import { ResourceUpdatesTopic } from '../subscriptions/resource-updates.topic.js';
import type { SubscriptionContributor } from '../subscriptions/subscription-contributor.js';
import { SubscriptionLimits } from '../subscriptions/subscription-limits.js';
import { buildSubscriptionRouter } from '../subscriptions/subscription-router.js';

/** Parts from which `subscriptions/listen` is assembled at boot. */
export interface ListenParts {
  readonly options: ResolvedMcpOptions;
  readonly seams: SeamRegistry;
  readonly notifier: McpNotifier;
  readonly surface: Surface;
  readonly capabilities: ServerCapabilities;
  readonly faults: DefinitionFault[];
}

const logger = new Logger('McpSubscriptions');

function guardFailed(error: unknown): void {
  logger.error('The guards of a watched resource could not run, so it is not watched', describeThrown(error));
}

/** `subscriptions/listen` over the core's topics and those that the application's seams add; collisions go to `faults`. */
export function assembleListen({ options: { limits }, seams, notifier, surface, capabilities, faults }: ListenParts): ListenMethod {
  const parts = { notifier, capabilities };
  const core: SubscriptionContributor[] = [
    new ListChangedTopic('tools', parts),
    new ListChangedTopic('prompts', parts),
    new ListChangedTopic('resources', parts),
    new ResourceUpdatesTopic({
      ...parts,
      maxWatched: limits.maxWatched,
      hearingOf: (context) => new ResourceHearing(surface, context, guardFailed),
    }),
  ];
  const contributed = seams.of<SubscriptionContributor>('subscription-contributor');
  const router = buildSubscriptionRouter(core, contributed, (fault) => void faults.push(fault));
  return new ListenMethod(router, new SubscriptionLimits({ perPrincipal: limits.maxListensPerPrincipal, total: limits.maxListens }));
}
