import { invalidParams } from '../errors/mcp.error.js';
import type { JsonValue } from '../protocol/json.js';
import { Method } from '../protocol/vocabulary.js';
import type { ServerCapabilities } from '../protocol/official.js';
import type { McpNotifier } from './mcp-notifier.js';
import type { HonouredTopic, SubscriptionContributor } from './subscription-contributor.js';

const METHODS = {
  tools: Method.ToolsListChanged,
  prompts: Method.PromptsListChanged,
  resources: Method.ResourcesListChanged,
} as const;

/** Parts of a topic of the core. */
export interface CoreTopicParts {
  readonly notifier: McpNotifier;
  /** Advertised capabilities. The server honours only what it advertises. */
  readonly capabilities: ServerCapabilities;
}

/** `toolsListChanged`, `promptsListChanged`, `resourcesListChanged`: the list is another one (MCP server/tools "List changed"). */
export class ListChangedTopic implements SubscriptionContributor<boolean> {
  readonly filterKey: string;

  constructor(
    private readonly list: keyof typeof METHODS,
    private readonly parts: CoreTopicParts,
  ) {
    this.filterKey = `${list}ListChanged`;
  }

  parse(value: JsonValue): boolean {
    if (typeof value !== 'boolean') throw invalidParams(`params.notifications.${this.filterKey} must be true or false`);
    return value;
  }

  honour(wished: boolean): HonouredTopic | undefined {
    const { list, parts } = this;
    if (!wished || parts.capabilities[list]?.listChanged !== true) return undefined;
    return {
      honoured: true,
      start: (sink) =>
        parts.notifier.onChange(({ kind }) => {
          if (kind === list) sink.emit('', () => ({ method: METHODS[list] }));
        }),
    };
  }
}
