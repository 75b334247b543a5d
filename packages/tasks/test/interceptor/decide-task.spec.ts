import { TASKS_EXTENSION, type TaskSettings } from '@mocapi/tasks';
import { decideTask, type TaskDecision } from '../../src/interceptor/task-tool-call.interceptor.js';

const settings = (required: boolean): TaskSettings => ({
  ttlMs: 1,
  pollIntervalMs: 1,
  required,
  admission: 'start',
  recover: 'fail',
  guardsOnTakeover: 'skip',
});
const declaring = (value: unknown): never => ({ extensions: { [TASKS_EXTENSION]: value } }) as never;

describe('decideTask', () => {
  it.each<[string, ...Parameters<typeof decideTask>, TaskDecision]>([
    ['no task tool, capable', undefined, declaring({}), 'sync'],
    ['no task tool, not capable', undefined, {}, 'sync'],
    ['task tool, capable', settings(false), declaring({}), 'task'],
    ['task tool, capable with settings', settings(false), declaring({ list: true }), 'task'],
    ['task tool, not capable', settings(false), {}, 'sync'],
    ['task tool, other extensions', settings(false), { extensions: { 'com.example/other': {} } }, 'sync'],
    ['task tool, extension null', settings(false), declaring(null), 'sync'],
    ['task tool, extension true', settings(false), declaring(true), 'sync'],
    ['task tool, extension a list', settings(false), declaring([]), 'sync'],
    ['task tool, extensions a list', settings(false), { extensions: [TASKS_EXTENSION] as never }, 'sync'],
    ['task tool, the 2025 capability', settings(false), { tasks: { requests: { tools: { call: {} } } } }, 'sync'],
    ['required, capable', settings(true), declaring({}), 'task'],
    ['required, not capable', settings(true), {}, 'extension-missing'],
    ['required, extension true', settings(true), declaring(true), 'extension-missing'],
  ])('%s', (_case, ...row) => {
    const [tool, capabilities, decision] = row;
    expect(decideTask(tool, capabilities)).toBe(decision);
  });
});
