import { defined, UNCHANGING } from '../protocol/json.js';
import type { DispatchContext } from '../dispatch/dispatch-context.js';
import type { McpMethod } from '../dispatch/mcp-method.js';
import type { McpResult } from '../protocol/messages.js';
import { listHints, type CacheSettings } from './cache-hints.js';
import { paginate } from './paginate.js';
import type { VisibleList } from './visible-list.js';

/** Settings of one list. */
export interface ListSettings {
  /** The method, such as `tools/list`. */
  readonly name: string;
  /** The member of the result that holds the entries, such as `tools`. */
  readonly member: string;
  readonly pageSize: number;
  readonly cache: CacheSettings;
}

/**
 * `tools/list`, `prompts/list`, `resources/list` and `resources/templates/list` (MCP server/utilities/pagination): in a stable order, by pages. The guards of handlers are
 * not asked, since they judge calls; those that implement `McpVisibility` say who sees what.
 */
export class ListMethod implements McpMethod {
  constructor(
    private readonly list: VisibleList,
    private readonly settings: ListSettings,
  ) {}

  get name(): string {
    return this.settings.name;
  }

  handle({ params, principal }: DispatchContext): McpResult {
    const { member, pageSize, cache } = this.settings;
    const { descriptors, dependsOnCaller, pages } = this.list.of(principal);
    const key = typeof params.cursor === 'string' ? params.cursor : '';
    const known = params.cursor === undefined || key !== '' ? pages.get(key) : undefined;
    if (known) return known as McpResult;
    const { items, nextCursor } = paginate(descriptors, params.cursor, { list: member, pageSize, keyOf });
    const result: McpResult = {
      resultType: 'complete',
      [member]: items,
      ...defined({ nextCursor }),
      ...listHints(cache, dependsOnCaller),
    };
    // A client may go on behind any entry; what is kept are as many pages as there are when it goes on behind the last of each.
    if (pages.size <= descriptors.length / pageSize) {
      UNCHANGING.set(result, undefined);
      pages.set(key, result);
    }
    return result;
  }
}

function keyOf(descriptor: object): string {
  const { uri, uriTemplate, name } = descriptor as { readonly uri?: string; readonly uriTemplate?: string; readonly name: string };
  return uri ?? uriTemplate ?? name;
}
