import type { DispatchContext } from '../dispatch/dispatch-context.js';
import { declaresExtension } from '../envelope/client-capabilities.js';
import type { DefinitionFault } from '../errors/definition-fault.js';
import { invalidParams, missingCapability } from '../errors/mcp.error.js';
import { isJsonObject, type JsonObject } from '../protocol/json.js';
import type { HonouredTopic, SubscriptionContributor, SubscriptionSink } from './subscription-contributor.js';

/** A client's wish for one topic: read, not yet granted. */
export interface TopicWish {
  readonly contributor: SubscriptionContributor;
  readonly wish: unknown;
}

/** A topic that one stream hears, and the key under which the acknowledgement names it. */
export interface GrantedTopic extends HonouredTopic {
  readonly filterKey: string;
}

/** Which topic answers which key of a filter (MCP basic/utilities/subscriptions "Filter"). */
export class SubscriptionRouter {
  constructor(private readonly contributors: ReadonlyMap<string, SubscriptionContributor>) {}

  /**
   * Reads `params.notifications`. Keys that no topic answers are left out: they are not honoured, and not an error.
   * @throws McpError -32021 for the key of an extension that wasn't declared, whatever else is wrong; -32602 for a
   * filter that is missing or malformed
   */
  read({ params, envelope }: DispatchContext): TopicWish[] {
    const filter = params.notifications;
    if (!isJsonObject(filter)) throw invalidParams('params.notifications must be an object');
    const asked = [...this.contributors.values()].filter(({ filterKey }) => Object.hasOwn(filter, filterKey));
    for (const { filterKey, requiredExtension: id } of asked) {
      if (id === undefined || declaresExtension(envelope.clientCapabilities, id)) continue;
      throw missingCapability(`"${filterKey}" needs the client to declare the extension "${id}"`, { extensions: { [id]: {} } });
    }
    return asked.map((contributor) => ({ contributor, wish: contributor.parse(filter[contributor.filterKey]!) }));
  }

  /** Grants the wishes that this caller may have. */
  async honour(wishes: readonly TopicWish[], context: DispatchContext): Promise<GrantedTopic[]> {
    const topics = await Promise.all(
      wishes.map(async ({ contributor, wish }) => {
        const topic = await contributor.honour(wish, context);
        return (
          topic && { filterKey: contributor.filterKey, honoured: topic.honoured, start: (sink: SubscriptionSink) => topic.start(sink) }
        );
      }),
    );
    return topics.filter((topic) => topic !== undefined);
  }
}

/** The filter that the acknowledgement shows as honoured. */
export function honouredFilter(topics: readonly GrantedTopic[]): JsonObject {
  return Object.fromEntries(topics.map(({ filterKey, honoured }) => [filterKey, honoured]));
}

/** Builds the router once, from the core's topics and those of extensions. A key that exists is reported, naming both sides, and keeps its first topic. */
export function buildSubscriptionRouter(
  core: readonly SubscriptionContributor[],
  contributed: readonly SubscriptionContributor[],
  report: (fault: DefinitionFault) => void,
): SubscriptionRouter {
  const contributors = new Map(core.map((topic) => [topic.filterKey, topic]));
  for (const topic of contributed) {
    const former = contributors.get(topic.filterKey);
    if (former === undefined) contributors.set(topic.filterKey, topic);
    else report(collision(topic, core.includes(former) ? undefined : former.constructor.name));
  }
  return new SubscriptionRouter(contributors);
}

function collision({ filterKey, constructor: { name } }: SubscriptionContributor, former: string | undefined): DefinitionFault {
  return {
    where: name,
    problem: `adds the subscription "${filterKey}", which ${former ?? 'the core'} already answers.`,
    fix: `Rename the filterKey of ${name}${former === undefined ? '' : ', or remove one of the two'}.`,
  };
}
