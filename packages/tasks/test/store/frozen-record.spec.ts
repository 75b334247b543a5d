import { completed, inputRequired, withLedgerEntry, withStatusMessage, type TaskDraft, type TaskRecord } from '@mocapi/tasks';
import { sampleDraft } from '@mocapi/testing';
import { answered } from '../../src/record/task-transitions.js';
import { frozenRecord } from '../../src/store/frozen-record.js';
import { EMPTY_RECORD, Tally } from '../../src/store/record-size.js';

const step = (key: string, response: string) => ({ key, kind: 'step', fingerprint: 'f', answered: true, response }) as const;
const question = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Which – one?', requestedSchema: { type: 'object', properties: {} } },
};
const slot = { key: 'ask', kind: 'elicitation', fingerprint: 'f', request: question, answered: false } as const;

describe('a frozen record', () => {
  const changes: readonly ((record: TaskRecord) => TaskRecord)[] = [
    (record) => withStatusMessage(record, '1/3: é'),
    (record) => withLedgerEntry(record, step('one', 'x'.repeat(50))),
    (record) => withLedgerEntry(record, step('two', 'y')),
    (record) => inputRequired(record, { ask: question }, [...record.ledger, slot]),
    (record) => answered(record, { ask: { action: 'accept' } }, 'claim'),
    // A store's mutations may do to a ledger whatever they like.
    (record) => ({ ...record, ledger: record.ledger.toReversed() }),
    (record) => ({ ...record, ledger: record.ledger.slice(1) }),
    (record) => completed(record, { resultType: 'complete', content: [] }),
  ];

  it('has after each change the size that it would have if it were new, and keeps what did not change', () => {
    const size = new Tally(EMPTY_RECORD);
    let record = frozenRecord(sampleDraft(), { createdAt: 1, lastUpdatedAt: 1, version: 1 }, { tally: size });
    for (const change of changes) {
      const next = change(record);
      expect(next).not.toBe(record);
      const before = record;
      record = frozenRecord(next, next, { previous: before, tally: size });
      expect(record).toEqual(next);
      expect(record.ledger.filter((entry) => before.ledger.includes(entry))).toHaveLength(
        next.ledger.filter((entry) => before.ledger.includes(entry)).length,
      );
      const fresh = new Tally(EMPTY_RECORD);
      frozenRecord(record, record, { tally: fresh });
      expect([size.json, size.memory]).toEqual([fresh.json, fresh.memory]);
      expect(Math.abs(size.json - Buffer.byteLength(JSON.stringify(record)))).toBeLessThan(20);
    }
  });

  it('leaves out members that are undefined', () => {
    const { principal: _principal, ...draft } = sampleDraft();
    const given: object = { ...draft, principal: undefined };
    const record = frozenRecord(given as TaskDraft, { createdAt: 1, lastUpdatedAt: 1, version: 1 });
    expect(Object.hasOwn(record, 'principal')).toBe(false);
    expect(record.arguments).toEqual(draft.arguments);
  });
});
