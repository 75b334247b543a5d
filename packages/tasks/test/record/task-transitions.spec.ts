import type { InputRequest, LedgerEntry } from '@mocapi/core/extension';
import {
  applyAnswers,
  cancelled,
  completed,
  failed,
  inputRequired,
  isRunBy,
  isTerminal,
  settle,
  takenOver,
  type TaskRecord,
  withLedgerEntry,
  withStatusMessage,
  working,
} from '@mocapi/tasks';
import { sampleDraft } from '@mocapi/testing';

const RESULT = { resultType: 'complete' as const, content: [] };
const ERROR = { code: -32010, message: 'no such tape' };
const CLAIM = { owner: 'node-2', id: 'claim-2' };
const QUESTION: InputRequest = { method: 'elicitation/create', params: { message: 'Sure?' } };

const slot = (key: string): LedgerEntry => ({ key, kind: 'elicitation', fingerprint: 'f', request: QUESTION, answered: false });
const step = (key: string, response: number): LedgerEntry => ({ key, kind: 'step', fingerprint: '', answered: true, response });

const atWork: TaskRecord = { ...sampleDraft({ statusMessage: '1/2' }), createdAt: 1000, lastUpdatedAt: 1000, version: 1 };
const asking = (...keys: string[]): TaskRecord =>
  inputRequired(atWork, Object.fromEntries(keys.map((key) => [key, QUESTION])), keys.map(slot));

const transitions: Readonly<Record<string, (record: TaskRecord) => TaskRecord>> = {
  completed: (record) => completed(record, RESULT),
  failed: (record) => failed(record, ERROR),
  cancelled: (record) => cancelled(record, 'called off'),
  inputRequired: (record) => inputRequired(record, { a: QUESTION }, [slot('a')]),
  applyAnswers: (record) => applyAnswers(record, { a: 1, b: 2 }, CLAIM),
  working: (record) => working(record, CLAIM),
  takenOver: (record) => takenOver(record, { id: 'run-1', fence: 1 }, CLAIM),
  settle: (record) => settle(record, { id: 'run-1', fence: 1 }, (r) => completed(r, RESULT)),
  withStatusMessage: (record) => withStatusMessage(record, 'other'),
  withLedgerEntry: (record) => withLedgerEntry(record, step('s', 1)),
};

describe('from a terminal status', () => {
  const ends = [completed(atWork, RESULT), failed(atWork, ERROR), cancelled(atWork)];
  const pairs = ends.flatMap((end) => Object.keys(transitions).map((name) => [end.status, name, end] as const));

  it.each(pairs)('%s: %s returns the same object', (_status, name, end) => {
    expect(transitions[name]!(end)).toBe(end);
  });
});

describe('every transition', () => {
  it.each(Object.keys(transitions))('%s leaves the record it was given, its times and its version', (name) => {
    for (const record of [atWork, asking('a', 'b')]) {
      const before = JSON.stringify(record);
      const { createdAt, lastUpdatedAt, version } = transitions[name]!(record);
      expect(JSON.stringify(record)).toBe(before);
      expect({ createdAt, lastUpdatedAt, version }).toEqual({ createdAt: 1000, lastUpdatedAt: 1000, version: 1 });
    }
  });

  it.each(Object.keys(transitions))('%s keeps questions exactly while input is required, and a run only at work', (name) => {
    for (const record of [atWork, asking('a'), asking('a', 'b', 'c')]) {
      const next = transitions[name]!(record);
      expect('inputRequests' in next).toBe(next.status === 'input_required');
      if (next.status !== 'working') expect('run' in next).toBe(false);
    }
  });
});

describe('the ends', () => {
  it('completed keeps the last status message and the ledger', () => {
    const { run: _run, ...rest } = atWork;
    expect(completed(atWork, RESULT)).toEqual({ ...rest, status: 'completed', result: RESULT });
    expect(completed(asking('a'), RESULT).ledger).toEqual([slot('a')]);
  });

  it('failed always sets a status message', () => {
    expect(failed(atWork, ERROR)).toMatchObject({ status: 'failed', error: ERROR, statusMessage: 'no such tape' });
    expect(failed(atWork, ERROR, 'Task interrupted').statusMessage).toBe('Task interrupted');
    expect(failed(atWork, { code: -32603, message: '' }).statusMessage).toBe('The task failed');
  });

  it('cancelled keeps the status message unless given one', () => {
    expect(cancelled(atWork)).toMatchObject({ status: 'cancelled', statusMessage: '1/2' });
    expect(cancelled(atWork, 'called off').statusMessage).toBe('called off');
    expect(isTerminal(cancelled(atWork).status)).toBe(true);
  });
});

describe('inputRequired', () => {
  it('parks the task: the questions stand, and the run is over', () => {
    expect(asking('a', 'b')).toMatchObject({ status: 'input_required', inputRequests: { a: QUESTION, b: QUESTION }, statusMessage: '1/2' });
    expect(asking('a')).not.toHaveProperty('run');
  });

  it('refuses to park without a question', () => {
    expect(() => inputRequired(atWork, {}, [])).toThrow('needs a question');
  });

  it('refuses a question without a slot, or whose key was answered before', () => {
    expect(() => inputRequired(atWork, { a: QUESTION }, [slot('b')])).toThrow('"a" has no unanswered slot');
    expect(() => inputRequired(atWork, { a: QUESTION }, [{ ...slot('a'), answered: true, response: 1 }])).toThrow('no unanswered slot');
  });
});

describe('runs', () => {
  const { run: _run, ...unheld } = atWork;
  const parked: TaskRecord = { ...unheld, version: 7 };

  it('working gives a task that nobody runs to the claimant, fenced by the version it writes', () => {
    expect(working(parked, CLAIM).run).toEqual({ owner: 'node-2', id: 'claim-2', fence: 8, attempt: 1 });
  });

  it('working changes nothing while another runs the task or a question is open', () => {
    expect(working(atWork, CLAIM)).toBe(atWork);
    const open = asking('a');
    expect(working(open, CLAIM)).toBe(open);
  });

  it('takenOver counts the attempt and raises the fence', () => {
    const orphan = { ...atWork, version: 4 };
    expect(takenOver(orphan, atWork.run!, CLAIM).run).toEqual({ owner: 'node-2', id: 'claim-2', fence: 5, attempt: 2 });
  });

  it.each([
    ['another run', { id: 'run-0', fence: 1 }],
    ['another fence', { id: 'run-1', fence: 2 }],
  ])('takenOver and settle change nothing for %s', (_which, token) => {
    expect(takenOver(atWork, token, CLAIM)).toBe(atWork);
    expect(settle(atWork, token, (record) => completed(record, RESULT))).toBe(atWork);
    expect(isRunBy(atWork, token)).toBe(false);
  });

  it('settle makes the transition of the run that holds the task', () => {
    expect(settle(atWork, atWork.run!, (record) => completed(record, RESULT)).status).toBe('completed');
  });

  it('settle changes nothing once the task is parked', () => {
    const parkedAgain = asking('a');
    expect(settle(parkedAgain, atWork.run!, (record) => withStatusMessage(record, 'late'))).toBe(parkedAgain);
  });
});

describe('texts and steps', () => {
  it('the same status message has no effect', () => {
    expect(withStatusMessage(atWork, '1/2')).toBe(atWork);
    expect(withStatusMessage(asking('a'), '2/2').statusMessage).toBe('2/2');
  });

  it('a step is appended, and once recorded never written again', () => {
    const once = withLedgerEntry(atWork, step('s', 1));
    expect(once.ledger).toEqual([step('s', 1)]);
    expect(withLedgerEntry(once, step('s', 2))).toBe(once);
    expect(withLedgerEntry(once, step('t', 2)).ledger).toEqual([step('s', 1), step('t', 2)]);
  });

  it('a step fills its own open slot in place', () => {
    const record = { ...atWork, ledger: [slot('a'), { ...step('s', 1), answered: false }, slot('b')] };
    expect(withLedgerEntry(record, step('s', 9)).ledger).toEqual([slot('a'), step('s', 9), slot('b')]);
  });
});

describe('applyAnswers', () => {
  const accept = { action: 'accept', content: { yes: true } };

  it('takes the last open answer, stamps it and begins a run', () => {
    const next = applyAnswers(asking('a'), { a: accept }, CLAIM);
    expect(next).toMatchObject({
      status: 'working',
      ledger: [{ ...slot('a'), answered: true, response: accept, answeredBy: 'claim-2' }],
      run: { owner: 'node-2', id: 'claim-2', fence: 2, attempt: 1 },
    });
  });

  it('keeps the task waiting until every question is answered', () => {
    const partly = applyAnswers(asking('a', 'b'), { b: accept }, { owner: 'n', id: 'first' });
    expect(partly.status).toBe('input_required');
    expect(partly.inputRequests).toEqual({ a: QUESTION });
    expect(partly).not.toHaveProperty('run');
    const done = applyAnswers({ ...partly, version: 3 }, { a: accept }, { owner: 'n', id: 'second' });
    expect(done.ledger.map(({ answeredBy }) => answeredBy)).toEqual(['second', 'first']);
    expect(done.run).toMatchObject({ id: 'second', fence: 4 });
  });

  it('ignores keys that were never asked and keys that are answered', () => {
    const partly = applyAnswers(asking('a', 'b'), { a: 1, zzz: 2 }, { owner: 'n', id: 'first' });
    expect(partly.ledger[0]).toMatchObject({ response: 1, answeredBy: 'first' });
    expect(applyAnswers(partly, { a: 2, zzz: 3 }, CLAIM)).toBe(partly);
    expect(applyAnswers(partly, {}, CLAIM)).toBe(partly);
  });

  it('ignores everything for a task that asks nothing', () => {
    expect(applyAnswers(atWork, { a: 1 }, CLAIM)).toBe(atWork);
  });

  it('writes over no answer, even if its question were still to stand', () => {
    const first = { ...slot('a'), answered: true, response: 1, answeredBy: 'first' };
    expect(applyAnswers({ ...asking('a'), ledger: [first] }, { a: 2 }, CLAIM).ledger).toEqual([first]);
  });

  it('takes null for an answer', () => {
    expect(applyAnswers(asking('a'), { a: null }, CLAIM).ledger[0]).toMatchObject({ answered: true, response: null });
  });

  it('takes keys that objects inherit for keys like any other', () => {
    const record = asking('toString', '__proto__');
    expect(applyAnswers(record, {}, CLAIM)).toBe(record);
    const answers = JSON.parse('{"__proto__":1,"toString":2}') as Record<string, number>;
    expect(applyAnswers(record, answers, CLAIM)).toMatchObject({ status: 'working', ledger: [{ response: 2 }, { response: 1 }] });
  });
});
