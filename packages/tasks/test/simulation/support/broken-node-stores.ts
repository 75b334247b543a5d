import { isTerminal, type TaskDraft, type TaskKey, taskKeyOf, type TaskMutation, type TaskRecord, type TaskRun } from '@mocapi/tasks';
import type { WriteReply } from './simulated-server.js';
import { NodeStore } from './node-store.js';

// Each is right but for one thing.

/** Makes a write of an execution that has lost its task, as if it had not. */
export class IgnoresFences extends NodeStore {
  private readonly runs = new Map<TaskKey, TaskRun>();

  override async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    const record = await super.update(key, (current) => {
      const next = mutate(current);
      const run = this.runs.get(key);
      if (next !== current || !run || !current.run) return next;
      const own = { ...current, run };
      const forced = mutate(own);
      return forced === own ? current : forced;
    });
    if (record?.run && this.parts.life.sessions.includes(record.run.owner)) this.runs.set(key, record.run);
    return record;
  }

  override async create(draft: TaskDraft): Promise<TaskRecord> {
    const record = await super.create(draft);
    if (record.run) this.runs.set(taskKeyOf(record.principal, record.taskId, record.endpoint), record.run);
    return record;
  }
}

/** Tells each writer what it meant to write, as a flag that is set inside the mutation would. */
export class TellsWhatWasMeant extends NodeStore {
  override async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    let meant: TaskRecord | undefined;
    const record = await super.update(key, (current) => {
      const next = mutate(current);
      if (next !== current) meant ??= next;
      return next;
    });
    return record && meant?.run ? { ...record, status: meant.status, run: meant.run } : record;
  }
}

/** Lets a change through that is laid over what a node makes of a record. */
abstract class ChangesWrites extends NodeStore {
  override update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    return super.update(key, (current) => this.changed(current, mutate(current), mutate));
  }

  protected abstract changed(current: TaskRecord, next: TaskRecord, mutate: TaskMutation): TaskRecord;
}

/** A takeover is no further attempt. */
export class CountsNoAttempts extends ChangesWrites {
  protected changed({ run }: TaskRecord, next: TaskRecord): TaskRecord {
    return run && next.run && next.run.id !== run.id ? { ...next, run: { ...next.run, attempt: run.attempt } } : next;
  }
}

/** Writes whether or not there is a change. */
export class WritesAlways extends ChangesWrites {
  protected changed(current: TaskRecord, next: TaskRecord): TaskRecord {
    return next === current ? { ...current } : next;
  }
}

/** A task that has ended ends again. */
export class EndsTwice extends ChangesWrites {
  protected changed(current: TaskRecord, next: TaskRecord, mutate: TaskMutation): TaskRecord {
    if (next !== current || !isTerminal(current.status)) return next;
    const { result: _result, error: _error, ...rest } = current;
    const forced = mutate({ ...rest, status: 'input_required', inputRequests: {} });
    return isTerminal(forced.status) ? forced : current;
  }
}

/** A question stands open again when another one is asked. */
export class ForgetsAnswers extends ChangesWrites {
  protected changed(_current: TaskRecord, next: TaskRecord): TaskRecord {
    if (next.status !== 'input_required') return next;
    return {
      ...next,
      ledger: next.ledger.map(({ response: _response, answeredBy: _answeredBy, ...entry }) => ({ ...entry, answered: false })),
    };
  }
}

/** What was done is forgotten when another node takes over. */
export class ForgetsSteps extends ChangesWrites {
  protected changed({ run }: TaskRecord, next: TaskRecord): TaskRecord {
    const isTakeover = run && next.run && next.run.id !== run.id;
    return isTakeover ? { ...next, ledger: next.ledger.filter(({ kind }) => kind !== 'step') } : next;
  }
}

/** Results get the text of somebody else's. */
export class MixesResults extends ChangesWrites {
  protected changed(_current: TaskRecord, next: TaskRecord): TaskRecord {
    return next.result ? { ...next, result: { ...next.result, content: [{ type: 'text', text: 'another' }] } } : next;
  }
}

/** Does not tell who waits from who has begun. */
export class ForgetsWhoWaits extends ChangesWrites {
  override create(draft: TaskDraft): Promise<TaskRecord> {
    return super.create(draft.run ? { ...draft, run: { ...draft.run, waiting: undefined as never } } : draft);
  }

  protected changed(current: TaskRecord, next: TaskRecord): TaskRecord {
    if (next === current || !next.run?.waiting) return next;
    const { waiting: _waiting, ...run } = next.run;
    return { ...next, run };
  }
}

/** Says of a task that is at work and was written that it is gone. */
export class SaysGone extends NodeStore {
  override async update(key: TaskKey, mutate: TaskMutation): Promise<TaskRecord | undefined> {
    const record = await super.update(key, mutate);
    return record?.status === 'working' && record.ledger.some(({ kind }) => kind === 'step') ? undefined : record;
  }
}

/** Fails with what is no answer. */
export class Breaks extends NodeStore {
  override async get(key: TaskKey): Promise<TaskRecord | undefined> {
    const record = await super.get(key);
    if (record?.statusMessage) throw new TypeError('Not for clients');
    return record;
  }
}

/** Writes over whatever came between. */
export class LosesUpdates extends NodeStore {
  protected override async replace(key: TaskKey, _expected: TaskRecord, next: TaskRecord): Promise<WriteReply> {
    const current = await this.parts.server.store.get(key);
    return super.replace(key, current ?? next, next);
  }
}

/** Says of answers that they are written, and writes none. */
export class SwallowsAnswers extends NodeStore {
  protected override async replace(key: TaskKey, expected: TaskRecord, next: TaskRecord): Promise<WriteReply> {
    if (expected.status === 'input_required' && next.status !== 'cancelled') return { isDone: true, record: expected };
    return super.replace(key, expected, next);
  }
}

/** Says that a task is stored before it is. */
export class AcknowledgesEarly extends NodeStore {
  override async create(draft: TaskDraft): Promise<TaskRecord> {
    super.create(draft).catch(() => undefined);
    const now = Date.UTC(2026, 7, 1);
    return { ...draft, createdAt: now, lastUpdatedAt: now, version: 1 };
  }
}

/** Shows what was never stored. */
export class ShowsMore extends NodeStore {
  override async get(key: TaskKey): Promise<TaskRecord | undefined> {
    const record = await super.get(key);
    return record && { ...record, statusMessage: 'made up' };
  }
}

/** Finds nothing in the last second of a task. */
export class ForgetsEarly extends NodeStore {
  override async get(key: TaskKey): Promise<TaskRecord | undefined> {
    const record = await super.get(key);
    const left = record?.ttlMs ? record.createdAt + record.ttlMs - this.parts.server.now : Infinity;
    return left > 1000 ? record : undefined;
  }
}
