import type { DispatchContext } from '../dispatch/dispatch-context.js';
import { invalidParams } from '../errors/mcp.error.js';
import { isAbsoluteUri, toAsciiUri } from '../protocol/texts.js';
import type { JsonValue } from '../protocol/json.js';
import { Method } from '../protocol/vocabulary.js';
import type { CoreTopicParts } from './list-changed.topic.js';
import type { HonouredTopic, SubscriptionContributor } from './subscription-contributor.js';

/** Longer URIs are not watched. */
const MAX_URI_LENGTH = 2048;

/** Further parts of the topic of resource updates. */
export interface ResourceUpdatesParts extends CoreTopicParts {
  /** The most URIs that one stream watches. */
  readonly maxWatched: number;
  /** Decides what the caller of a stream may hear, for as long as the stream is open. */
  readonly hearingOf: (context: DispatchContext) => Hearing;
}

/**
 * The topic `resourceSubscriptions`: a resource under a URI has changed (MCP server/resources "Subscriptions"). A
 * resource below a watched URI counts. Any absolute URI can be watched, known or not, unless a guard refuses to read
 * it: the acknowledgement reveals nothing about hidden resources.
 */
export class ResourceUpdatesTopic implements SubscriptionContributor<readonly string[]> {
  readonly filterKey = 'resourceSubscriptions';

  constructor(private readonly parts: ResourceUpdatesParts) {}

  parse(value: JsonValue): readonly string[] {
    if (Array.isArray(value) && value.every((uri) => typeof uri === 'string')) return value;
    throw invalidParams(`params.notifications.${this.filterKey} must be an array of URIs`);
  }

  async honour(uris: readonly string[], context: DispatchContext): Promise<HonouredTopic | undefined> {
    const { capabilities, maxWatched, hearingOf } = this.parts;
    if (capabilities.resources?.subscribe !== true) return undefined;
    const asked = [...new Set(uris)].filter(isWatchable).slice(0, maxWatched);
    const hearing = hearingOf(context);
    const watched = new Set(await watchableUris(asked, hearing, context.exchange.signal));
    return { honoured: [...watched].map(toAsciiUri), start: (sink) => this.start(watched, hearing, sink) };
  }

  private start(watched: ReadonlySet<string>, hearing: Hearing, sink: Parameters<HonouredTopic['start']>[0]): () => void {
    /** By watched URI: which resource in it has changed and was not said yet. */
    const changed = new Map<string, string>();
    const tell = (root: string, uri: string): void => {
      const former = changed.get(root);
      // A reader that is slow hears once of all that has changed in what it watches, so that what waits never outgrows its filter.
      changed.set(root, former === undefined || former === uri ? uri : root);
      sink.emit(root, () => {
        const latest = changed.get(root);
        changed.delete(root);
        return latest === undefined ? undefined : { method: Method.ResourceUpdated, params: { uri: toAsciiUri(latest) } };
      });
    };
    return this.parts.notifier.onChange((change) => {
      const root = change.kind === 'resource' ? watchedBy(change.uri, watched) : undefined;
      if (change.kind !== 'resource' || root === undefined) return;
      const { uri } = change;
      const may = hearing.mayHear(uri);
      if (typeof may !== 'boolean') void may.then((allowed) => allowed && tell(root, uri));
      else if (may) tell(root, uri);
    });
  }
}

function isWatchable(uri: string): boolean {
  return uri.length <= MAX_URI_LENGTH && isAbsoluteUri(uri);
}

/** Decides which resources one caller may hear of. Returns promises, because guards have to run first. */
export interface Hearing {
  /** Whether a stream that watches `uri` is acknowledged for it: not where a guard refuses its reading. */
  mayWatch(uri: string): boolean | Promise<boolean>;
  /** Whether the caller may know that `uri` has changed. */
  mayHear(uri: string): boolean | Promise<boolean>;
}

/** How many URIs are checked at a time. */
const AT_A_TIME = 16;

/** Those of the URIs that may be watched, in their order. */
async function watchableUris(uris: readonly string[], hearing: Hearing, signal: AbortSignal): Promise<string[]> {
  const allowed: string[] = [];
  for (let start = 0; start < uris.length; start += AT_A_TIME) {
    signal.throwIfAborted();
    const asked = uris.slice(start, start + AT_A_TIME);
    const answers = await Promise.all(asked.map(async (uri) => hearing.mayWatch(uri)));
    allowed.push(...asked.filter((_, index) => answers[index]));
  }
  return allowed;
}

/**
 * The watched URI that equals `uri` or contains it: the nearest one, or undefined. `file:///a/b` and `file:///a#b` are
 * below `file:///a`, and `file:///ab` is not (MCP server/resources "Subscriptions": an update may name a
 * sub-resource). The cost depends on the watched URIs, whatever the length of `uri`, which may come from a caller.
 */
export function watchedBy(uri: string, watched: ReadonlySet<string>): string | undefined {
  if (watched.has(uri)) return uri;
  let nearest: string | undefined;
  for (const root of watched) if (root.length > (nearest?.length ?? 0) && liesIn(uri, root)) nearest = root;
  return nearest;
}

function liesIn(uri: string, root: string): boolean {
  // With its delimiter a URI names what lies in it as well as without.
  return uri.startsWith(root) && (isDelimiter(root.at(-1)) || isDelimiter(uri[root.length]));
}

function isDelimiter(character: string | undefined): boolean {
  return character === '/' || character === '#';
}
