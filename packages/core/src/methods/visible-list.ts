import type { HandlerDefinition } from '../discovery/handler-definition.js';
import type { HandlerRegistry } from '../discovery/registries.js';
import type { McpPrincipal } from '../envelope/principal.js';
import type { HandlerVisibility } from '../handlers/visibility/handler-visibility.js';

/** The part of a registry that some callers see, with room for values derived from it. */
export interface VisibleSet {
  readonly descriptors: readonly object[];
  /** Whether others may see something else. */
  readonly dependsOnCaller: boolean;
  /** Results by cursor; gone with the set. */
  readonly pages: Map<string, unknown>;
}

interface Snapshot {
  readonly version: number;
  readonly hideable: readonly HandlerDefinition[];
  readonly sets: Map<string, VisibleSet>;
}

/** Further sets are computed again: a rule that gives every caller its own set must not fill the memory. */
const MAX_SETS = 256;

/** The lists of one registry, each computed once per visible set and kept until the registry changes. */
export class VisibleList {
  private snapshot: Snapshot = { version: -1, hideable: [], sets: new Map() };

  constructor(
    private readonly registry: HandlerRegistry<HandlerDefinition>,
    private readonly visibility: HandlerVisibility,
  ) {}

  /** The handlers that the caller sees, in the registry's order. */
  of(principal: McpPrincipal | undefined): VisibleSet {
    const { hideable, sets } = this.current();
    const hidden = new Set(hideable.filter((handler) => !this.visibility.canSee(handler, principal)));
    const key = hideable.map((handler) => (hidden.has(handler) ? '0' : '1')).join('');
    const known = sets.get(key);
    if (known) return known;
    const descriptors = this.registry
      .list()
      .filter((handler) => !hidden.has(handler))
      .map(({ descriptor }) => descriptor);
    const made: VisibleSet = { descriptors, dependsOnCaller: hideable.length > 0, pages: new Map() };
    if (sets.size >= MAX_SETS) sets.clear();
    sets.set(key, made);
    return made;
  }

  private current(): Snapshot {
    const { version } = this.registry;
    if (this.snapshot.version !== version) {
      const hideable = this.registry.list().filter((handler) => this.visibility.mayHide(handler));
      this.snapshot = { version, hideable, sets: new Map() };
    }
    return this.snapshot;
  }
}
