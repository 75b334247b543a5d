import {
  CreateTaskResultV2Schema,
  GetTaskResultV2Schema,
  TaskStatusNotificationParamsV2Schema,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import {
  cancelled,
  completed,
  failed,
  inputRequired,
  TASK_STATUSES,
  type TaskRecord,
  toCreateTaskResult,
  toDetailedTask,
  toGetTaskResult,
} from '@mocapi/tasks';
import { sampleDraft } from '@mocapi/testing';

const QUESTION = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Sure?', requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } } },
};
const RESULT = { resultType: 'complete' as const, content: [{ type: 'text' as const, text: 'done' }], isError: false };
const ERROR = { code: -32010, message: 'no such tape', data: { tape: 7 } };

const base: TaskRecord = {
  ...sampleDraft({ statusMessage: '3/10: encoding' }),
  createdAt: Date.UTC(2026, 7, 1, 10, 30),
  lastUpdatedAt: Date.UTC(2026, 7, 1, 10, 30, 1, 5),
  version: 2,
};
const fields = {
  taskId: base.taskId,
  statusMessage: '3/10: encoding',
  createdAt: '2026-08-01T10:30:00.000Z',
  lastUpdatedAt: '2026-08-01T10:30:01.005Z',
  ttlMs: 3_600_000,
  pollIntervalMs: 2000,
};
const slot = { key: 'sure', kind: 'elicitation' as const, fingerprint: 'f', request: QUESTION, answered: false };

const records: Readonly<Record<string, readonly [record: TaskRecord, detailed: object]>> = {
  working: [base, { ...fields, status: 'working' }],
  input_required: [
    inputRequired(base, { sure: QUESTION }, [slot]),
    { ...fields, status: 'input_required', inputRequests: { sure: QUESTION } },
  ],
  completed: [completed(base, RESULT), { ...fields, status: 'completed', result: RESULT }],
  failed: [failed(base, ERROR), { ...fields, statusMessage: 'no such tape', status: 'failed', error: ERROR }],
  cancelled: [cancelled(base), { ...fields, status: 'cancelled' }],
};

it('the records cover every status', () => {
  expect(Object.keys(records)).toEqual([...TASK_STATUSES]);
});

describe.each(Object.entries(records))('a task that is %s', (_status, [record, detailed]) => {
  it('is shown with the members of its status and no others', () => {
    expect(toDetailedTask(record)).toEqual(detailed);
    expect(toGetTaskResult(record)).toEqual({ resultType: 'complete', ...detailed });
  });

  it('is shown as the official schemas read it, to the last member', () => {
    expect(GetTaskResultV2Schema.parse(toGetTaskResult(record))).toEqual(toGetTaskResult(record));
    expect(TaskStatusNotificationParamsV2Schema.parse(toDetailedTask(record))).toEqual(detailed);
  });

  it('answers its call flat, without outcome, questions or requestState', () => {
    const { statusMessage } = record;
    const answer = toCreateTaskResult(record);
    expect(answer).toEqual({ resultType: 'task', ...fields, statusMessage, status: record.status });
    expect(CreateTaskResultV2Schema.parse(answer)).toEqual(answer);
  });
});

describe('members', () => {
  const { statusMessage: _text, ...silent } = base;

  it('a status message that is absent is left out', () => {
    expect(Object.keys(toDetailedTask(silent))).not.toContain('statusMessage');
    expect(Object.keys(toCreateTaskResult(silent))).not.toContain('statusMessage');
  });

  it('an unlimited ttl is null', () => {
    expect(GetTaskResultV2Schema.parse(toGetTaskResult({ ...base, ttlMs: null })).ttlMs).toBeNull();
  });

  it('the inner result says that it is complete, even if what was stored does not', () => {
    const stored = { ...completed(base, { content: [] } as never) };
    expect(toDetailedTask(stored)).toMatchObject({ result: { resultType: 'complete', content: [] } });
  });

  it('nothing internal is shown', () => {
    for (const [record] of Object.values(records)) {
      for (const name of ['principal', 'arguments', 'ledger', 'run', 'version', 'traceContext', 'requestState']) {
        expect(toGetTaskResult(record)).not.toHaveProperty(name);
      }
    }
  });

  it('a record that lacks what its status demands is an error, not a lie', () => {
    expect(() => toDetailedTask({ ...base, status: 'completed' })).toThrow('status "completed" lacks "result"');
  });
});
