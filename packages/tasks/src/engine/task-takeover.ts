import { Logger } from '@nestjs/common';
import type { CallRunner } from '@mocapi/core/extension';
import { ROOT_ENDPOINT } from '@mocapi/core/internal';
import { FirstSeen } from '../nodes/first-seen.js';
import { claimOrphan, type OrphanPolicy } from '../record/orphan-claim.js';
import type { OrphanFate } from '../nodes/orphan-reaper.js';
import type { TaskRecord } from '../record/task-record.js';
import type { GuardsOnTakeover } from '../decorators/mcp-task.decorator.js';
import { taskSettingsOf } from '../settings/task-settings.js';
import type { Clock } from '../store/clock.js';
import type { TaskKey } from '../store/task-key.js';
import type { Claims } from '../attempts/claims.js';
import type { EarlySlot } from '../slots/early-slot.js';
import { takeoverRequest } from './takeover-request.js';
import type { TaskResumption } from './task-resumption.js';

/** Parts of a takeover. */
export interface TaskTakeoverParts {
  readonly calls: CallRunner;
  /** Whose tasks are taken over. Another endpoint that shares the store may have a tool of the same name. */
  readonly endpoint: string;
  readonly claims: Claims;
  readonly resumption: TaskResumption;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly maxAttempts: number;
  /** The endpoint's, which guards see as the `url` of a request that nobody sent. */
  readonly path: string;
}

/** A task that was not looked at for so many leases went to another node. */
const FORGOTTEN_LEASES = 10;

/** Makes the tasks of dead nodes this node's own. */
export class TaskTakeover {
  private readonly logger = new Logger('McpTasks');
  /** Tasks that wait for a node which knows their tool. */
  private readonly unknown: FirstSeen;

  constructor(private readonly parts: TaskTakeoverParts) {
    this.unknown = new FirstSeen(parts.clock, FORGOTTEN_LEASES * parts.leaseMs);
  }

  /** Takes a task over from a dead session, or fails it, as its tool says. Does nothing if that session does not run it any more. */
  async takeOver(key: TaskKey, session: string): Promise<OrphanFate> {
    const slot = this.parts.resumption.slot();
    const record = await this.claim(key, session, slot).finally(() => slot.giveBack());
    if (record?.status === 'working' && record.run?.owner === session) return this.isOwn(record) ? this.leave(key) : 'left';
    this.unknown.forget(key);
    return 'settled';
  }

  private claim(key: TaskKey, session: string, slot: EarlySlot): Promise<TaskRecord | undefined> {
    return this.parts.claims.claim(key, {
      mutate: (current, claim) =>
        claimOrphan(current, { session, claim: slot.marked(claim), policyOf: (task) => this.policyOf(task, key) }),
      won: (taken, { entry, pending }) => {
        this.logger.log(`Taken over from a dead node: a task of ${taken.toolName}, attempt ${taken.run!.attempt}`);
        const { principal } = taken;
        this.parts.resumption.begin(taken, {
          trigger: 'takeover',
          principal,
          request: takeoverRequest(taken, this.parts.path),
          guards: this.guardsFor(taken),
          slot,
          entry,
          pending,
        });
      },
    });
  }

  private guardsFor({ toolName }: TaskRecord): GuardsOnTakeover {
    const tool = this.parts.calls.tools.byKey.get(toolName);
    return (tool && taskSettingsOf(tool)?.guardsOnTakeover) ?? 'skip';
  }

  private isOwn({ endpoint = ROOT_ENDPOINT }: TaskRecord): boolean {
    return endpoint === this.parts.endpoint;
  }

  private leave(key: TaskKey): OrphanFate {
    this.unknown.note(key);
    return 'left';
  }

  /**
   * The policy for a task. A tool that this node does not know may be one of a newer node; if no node comes within a
   * lease, none knows it.
   */
  private policyOf(record: TaskRecord, key: TaskKey): OrphanPolicy | undefined {
    if (!this.isOwn(record)) return undefined;
    const { calls, maxAttempts, leaseMs } = this.parts;
    const tool = calls.tools.byKey.get(record.toolName);
    const settings = tool && taskSettingsOf(tool);
    if (settings) return { recover: settings.recover, maxAttempts };
    return this.unknown.ageMs(key) > leaseMs ? { recover: 'fail', maxAttempts } : undefined;
  }
}
