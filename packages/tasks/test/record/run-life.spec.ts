import { InMemoryTaskStore, type RunClaim, type TaskRecord, type TaskRun } from '@mocapi/tasks';
import { FakeClock, sampleDraft } from '@mocapi/testing';
import { begun, isWaiting, lifeOf, onLastTry, released, takenOver, trusted, wasTrusted, type RunLife } from '../../src/record/run-life.js';

/** Runs as older releases stored them. Their members keep their names, or a cluster of mixed versions could not share its tasks. */
const STORED: readonly [what: string, run: Partial<TaskRun>, life: RunLife][] = [
  ['began at once', {}, { stage: 'running' }],
  ['waits for a slot', { waiting: true }, { stage: 'queued', group: undefined }],
  ['waits for a slot after a takeover', { waiting: true, group: 2 }, { stage: 'queued', group: 2 }],
  ['waits for its turn', { waiting: true, probation: 'waiting', group: 4 }, { stage: 'held', group: 4 }],
  ['waits for its turn, and was acquitted before', { probation: 'waiting', wasAcquitted: true }, { stage: 'held', group: undefined }],
  ['began on its last try', { probation: 'begun', group: 2 }, { stage: 'tried', group: 2 }],
  ['began on its last try one at a time', { probation: 'begun' }, { stage: 'tried', group: undefined }],
  ['was acquitted', { probation: 'acquitted', group: 4 }, { stage: 'trusted', group: 4 }],
  ['was given up before it began', { waiting: true, released: 'unbegun' }, { stage: 'released', group: undefined, hasBegun: false }],
  ['was given up on its last try', { probation: 'begun', group: 3, released: 'begun' }, { stage: 'released', group: 3, hasBegun: true }],
];

const RUN: TaskRun = { owner: 'a', id: 'run', fence: 1, attempt: 1 };

describe('a stored run', () => {
  it.each(STORED)('that %s is read as such, also from memory', async (...[, stored, life]) => {
    const run = { ...RUN, ...stored };
    expect(lifeOf(run)).toEqual(life);
    expect(isWaiting(run)).toBe(life.stage === 'queued' || life.stage === 'held');
    const { run: kept } = await new InMemoryTaskStore(new FakeClock()).create(sampleDraft({ run }));
    expect(kept).toEqual(run);
  });

  it('passes its stages under the names that older releases read', async () => {
    const claim: RunClaim = { owner: 'b', id: 'next', waiting: true };
    const first = await new InMemoryTaskStore(new FakeClock()).create(sampleDraft({ run: RUN }));
    const steps: readonly ((record: TaskRecord) => TaskRecord)[] = [
      (record) => takenOver(record, record.run!, claim),
      onLastTry,
      (record) => begun(record, 2),
      trusted,
      (record) => released(record, record.run!, 'begun'),
      (record) => takenOver(record, record.run!, { owner: 'c', id: 'last' }),
    ];
    let record = first;
    const seen = steps.map((step) => (record = step(record)).run);
    const next = { owner: 'b', id: 'next', fence: 2, attempt: 2 };
    expect(seen).toEqual([
      { ...next, waiting: true },
      { ...next, waiting: true, probation: 'waiting' },
      { ...next, probation: 'begun', group: 2 },
      { ...next, probation: 'acquitted', group: 2 },
      { ...next, probation: 'acquitted', group: 2, released: 'begun' },
      { owner: 'c', id: 'last', fence: 2, attempt: 2, group: 2, wasAcquitted: true },
    ]);
    expect(trusted(onLastTry(record)).run).toEqual({ ...record.run, probation: 'waiting' });
    expect(wasTrusted(record.run!)).toBe(true);
  });
});
