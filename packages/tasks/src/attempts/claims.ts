import { randomUUID } from 'node:crypto';
import type { NodeMembership } from '../nodes/node-membership.js';
import type { RunEntry } from '../nodes/run-entries.js';
import type { RunClaim, TaskRecord } from '../record/task-record.js';
import type { TaskKey } from '../store/task-key.js';
import type { TaskStore } from '../store/task-store.js';
import type { InFlight, PendingClaim, RunningAttempts } from './running-attempts.js';
import type { UnsureWrites } from './unsure-writes.js';

/** Parts of claiming. */
export interface ClaimsParts {
  readonly store: TaskStore;
  readonly nodes: NodeMembership;
  readonly running: RunningAttempts;
  readonly unsure: UnsureWrites;
  readonly inFlight: InFlight;
}

/** A write that may begin a run of this node. */
export interface ClaimedWrite {
  mutate(record: TaskRecord, claim: RunClaim): TaskRecord;
  /** Called once if the record says that it did, also when that turns out later. */
  won(record: TaskRecord, claimed: { readonly entry: RunEntry; readonly pending: PendingClaim }): void;
}

/**
 * Writes with which this node makes a task its own to run. Only the record that comes back says whether it succeeded.
 */
export class Claims {
  constructor(private readonly parts: ClaimsParts) {}

  /**
   * Enters the task under this node and writes; resolves to the record as it then is, undefined if it is gone.
   * @throws what the store throws. Should the write have been made all the same, `won` is called when that is found out
   */
  claim(key: TaskKey, write: ClaimedWrite): Promise<TaskRecord | undefined> {
    const { inFlight } = this.parts;
    inFlight.begin();
    return this.claimHere(key, write).finally(() => inFlight.end());
  }

  private async claimHere(key: TaskKey, write: ClaimedWrite): Promise<TaskRecord | undefined> {
    const { nodes, running } = this.parts;
    const entry = await nodes.enter(key);
    const claim: RunClaim = { owner: entry.session, id: randomUUID() };
    return running.claim(key, async (pending) => {
      const record = await this.commit(key, write, { claim, entry });
      if (record?.run?.id === claim.id) write.won(record, { entry, pending });
      else entry.leave();
      return record;
    });
  }

  private async commit(
    key: TaskKey,
    write: ClaimedWrite,
    { claim, entry }: { claim: RunClaim; entry: RunEntry },
  ): Promise<TaskRecord | undefined> {
    const { store, unsure } = this.parts;
    let mayBeWritten = false;
    try {
      return await store.update(key, (record) => {
        mayBeWritten = true;
        return write.mutate(record, claim);
      });
    } catch (error) {
      // The record could not even be read, so there is nothing to look for.
      if (!mayBeWritten) {
        entry.leave();
        throw error;
      }
      const record = await store.get(key).catch(() => undefined);
      if (record?.run?.id === claim.id) return record;
      // Signals to the claim's attempt are lost meanwhile; the record will show them.
      unsure.follow({ key, runId: claim.id, entry, found: (late) => write.won(late, { entry, pending: {} }) });
      throw error;
    }
  }
}
