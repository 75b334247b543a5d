import { firstRun, newTaskId, type TaskDraft } from '@mocapi/tasks';

/** A draft as an engine would make it, with a new id; `overrides` replaces whole members. */
export function sampleDraft(overrides: Partial<TaskDraft> = {}): TaskDraft {
  return {
    taskId: newTaskId(),
    toolName: 'encode',
    handlerVersion: '1',
    arguments: { uri: 'file:///a.mov', target: 'b.mp4' },
    principal: { id: 'alice', claims: { roles: ['editor'] } },
    protocolVersion: '2026-07-28',
    clientCapabilities: { elicitation: { form: {} } },
    status: 'working',
    ttlMs: 3_600_000,
    pollIntervalMs: 2000,
    ledger: [],
    run: firstRun({ owner: 'node-1', id: 'run-1' }),
    ...overrides,
  };
}
