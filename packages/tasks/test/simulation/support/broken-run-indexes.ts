import type { RunSession, TaskKey } from '@mocapi/tasks';
import { NodeRunIndex } from './node-run-index.js';
import type { NodeStoreParts } from './node-store-parts.js';
import { NodeStore } from './node-store.js';

// Each is right but for one thing.

/** With a run index that is wrong in one thing. */
function withIndex(Index: typeof NodeRunIndex): new (parts: NodeStoreParts) => NodeStore {
  return class extends NodeStore {
    protected override indexOf(parts: NodeStoreParts): NodeRunIndex {
      return new Index(parts);
    }
  };
}

/** The sessions of dead nodes stay. */
export const DropsNothing = withIndex(
  class extends NodeRunIndex {
    override async drop(): Promise<void> {}
  },
);

/** Nobody knows what a node runs. */
export const MarksNothing = withIndex(
  class extends NodeRunIndex {
    override async markRunning(): Promise<void> {}
  },
);

/** Nobody finds what a dead node ran. */
export const FindsNothing = withIndex(
  class extends NodeRunIndex {
    override async runningOf(): Promise<readonly TaskKey[]> {
      return [];
    }
  },
);

/** What a node has ended stands under it for ever. */
export const UnmarksNothing = withIndex(
  class extends NodeRunIndex {
    override async unmark(): Promise<void> {}
  },
);

/** A node that was taken for dead does not hear of it. */
export const BeatsForEver = withIndex(
  class extends NodeRunIndex {
    override async beat(session: string): Promise<boolean> {
      await super.beat(session);
      return true;
    }
  },
);

/** Takes nodes for dead that are alive. */
export const IsImpatient = withIndex(
  class extends NodeRunIndex {
    override async sessions(): Promise<readonly RunSession[]> {
      return (await super.sessions()).map(({ session, sign }) => ({ session, sign: sign && 'alive' }));
    }

    override async bury(session: string): Promise<boolean> {
      await this.leave(session);
      return true;
    }
  },
);
