import { taskCall } from '../load/mcp-request.js';
import type { Cell } from '../measure/cell.js';
import { toolName } from '../servers/many-tools-name.js';
import { callEcho, createAndAnswer, createAndPoll, createTask, httpCell, listTools, pollCompleted, pollMany } from './http-cells.js';
import { workerCell } from './worker-cells.js';

/** The floor of all HTTP rows, F. */
export const FLOOR = 'floor';

const FEW = 100;
const MANY = 100_000;
const MIB = 2 ** 20;
/** Three steps of it make a ledger of 3 MB. */
const LARGE_STEP = MIB - 1024;
/** So many that a cache of polls, which lasts some milliseconds, helps little: each poll reads. */
const POLLED = 64;
const WITH_LEDGER = taskCall('task_steps', { count: 3, bytes: LARGE_STEP });
const WITHOUT_LEDGER = taskCall('task_steps', { count: 0, bytes: 0 });
const STEPS_DONE = 'Every step is recorded';

const tenTools = listTools(toolName(9));
const manyTools = listTools(toolName(499));
const veryManyTools = listTools(toolName(4999));
const pollLedger = (call: typeof WITH_LEDGER) => pollMany(POLLED, { call, expected: STEPS_DONE });

/** The cells that a round measures, by name. */
export const CELLS: Readonly<Record<string, Cell>> = {
  [FLOOR]: httpCell({ title: 'F: bare Nest on Fastify, one POST route', subject: 'floor', operation: callEcho('echo') }),
  raw: httpCell({ title: 'R: raw node:http', subject: 'raw', operation: callEcho('echo') }),
  zod: httpCell({ title: 'tools/call, zod', subject: 'sync', operation: callEcho('echo_zod') }),
  dto: httpCell({ title: 'tools/call, DTO', subject: 'sync', operation: callEcho('echo_dto') }),
  schema: httpCell({ title: 'tools/call, raw JSON Schema', subject: 'sync', operation: callEcho('echo_raw') }),
  guarded: httpCell({ title: 'tools/call, zod, guard and interceptor', subject: 'guarded', operation: callEcho('echo_zod') }),
  create: httpCell({ title: 'create→complete in memory', subject: 'tasks', operation: createTask }),
  'create-get': httpCell({ title: 'create→complete in memory and one get', subject: 'tasks', operation: createAndPoll }),
  get: httpCell({ title: 'tasks/get in memory', subject: 'tasks', operation: pollCompleted }),
  list10: httpCell({ title: 'tools/list, 10 tools', subject: 'lists10', operation: tenTools }),
  list500: httpCell({ title: 'tools/list, 500 tools', subject: 'lists500', operation: manyTools }),
  list5000: httpCell({ title: 'tools/list, 5,000 tools', subject: 'lists5000', operation: veryManyTools }),
  'redis-create': httpCell({ title: 'create→complete in Redis', subject: 'redis', operation: createTask, usesRedis: true }),
  'redis-get': httpCell({ title: 'tasks/get in Redis, one task', subject: 'redis', operation: pollCompleted, usesRedis: true }),
  'redis-get-many': httpCell({ title: 'tasks/get in Redis, 2,000 tasks', subject: 'redis', operation: pollMany(2000), usesRedis: true }),
  'poll-ledger': httpCell({
    title: 'tasks/get of a task with a ledger of 3 MB',
    subject: 'redis',
    operation: pollLedger(WITH_LEDGER),
    connections: 1,
    usesRedis: true,
  }),
  'poll-plain': httpCell({
    title: 'tasks/get of a task without a ledger',
    subject: 'redis',
    operation: pollLedger(WITHOUT_LEDGER),
    connections: 1,
    usesRedis: true,
  }),
  engine: workerCell('engine and Redis store, create→complete', 'engine', 'engine'),
  bullmq: workerCell('B: BullMQ, add→completed', 'bullmq', 'run'),
  sets: workerCell('D: SET and SET of the same bytes', 'sets', 'run'),
  'get-few': httpCell({ title: 'tasks/get beside 100 tasks', subject: 'tasks-few', operation: pollMany(FEW, { order: 'any' }) }),
  'get-many': httpCell({ title: 'tasks/get beside 100,000 tasks', subject: 'tasks-many', operation: pollMany(MANY, { order: 'any' }) }),
  'create-few': httpCell({ title: 'create→complete beside few tasks', subject: 'tasks-few', operation: createTask }),
  'create-many': httpCell({ title: 'create→complete beside 100,000 tasks', subject: 'tasks-many', operation: createTask }),
  'update-few': httpCell({ title: 'create, question, tasks/update beside few tasks', subject: 'tasks-few', operation: createAndAnswer }),
  'update-many': httpCell({
    title: 'create, question, tasks/update beside 100,000 tasks',
    subject: 'tasks-many',
    operation: createAndAnswer,
  }),
  official: httpCell({ title: 'official server, documented', subject: 'official', operation: callEcho('echo_zod') }),
  'official-lean': httpCell({ title: 'official server, lean', subject: 'official-lean', operation: callEcho('echo_zod') }),
  'official-list10': httpCell({ title: 'official server, list of 10', subject: 'official-lists10', operation: tenTools }),
  'official-list500': httpCell({ title: 'official server, list of 500', subject: 'official-lists500', operation: manyTools }),
  'mcp-nest': httpCell({ title: 'MCP-Nest', subject: 'mcp-nest', operation: callEcho('echo_zod') }),
  'mcp-nest-list10': httpCell({ title: 'MCP-Nest, list of 10', subject: 'mcp-nest-lists10', operation: tenTools }),
  'mcp-nest-list500': httpCell({ title: 'MCP-Nest, list of 500', subject: 'mcp-nest-lists500', operation: manyTools }),
};
