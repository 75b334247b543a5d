import type { Cell } from '../measure/cell.js';
import type { SubjectSettings } from '../measure/subject.js';
import { toolName } from '../servers/many-tools-name.js';
import { callEcho, createAndPoll, createTask, httpCell, listTools, pollCompleted } from './http-cells.js';

/** The processes under measurement, by name. */
export const SUBJECTS: Readonly<Record<string, SubjectSettings>> = {
  raw: { server: 'raw' },
  floor: { server: 'floor' },
  sync: { server: 'sync' },
  guarded: { server: 'guarded' },
  lists10: { server: 'lists', env: { BENCH_TOOLS: '10' } },
  lists500: { server: 'lists', env: { BENCH_TOOLS: '500' } },
  tasks: { server: 'tasks' },
  'official-lean': { server: 'official-lean' },
  official: { server: 'official' },
  'official-lists10': { server: 'official', env: { BENCH_TOOLS: '10' } },
  'official-lists500': { server: 'official', env: { BENCH_TOOLS: '500' } },
};

/** The floor of all HTTP rows, F. */
export const FLOOR = 'floor';

/** What a round measures, by name. */
export const CELLS: Readonly<Record<string, Cell>> = {
  [FLOOR]: httpCell('F: bare Nest on Fastify, one POST route', 'floor', callEcho('echo')),
  raw: httpCell('R: raw node:http', 'raw', callEcho('echo')),
  zod: httpCell('tools/call, zod', 'sync', callEcho('echo_zod')),
  dto: httpCell('tools/call, DTO', 'sync', callEcho('echo_dto')),
  schema: httpCell('tools/call, raw JSON Schema', 'sync', callEcho('echo_raw')),
  guarded: httpCell('tools/call, zod, guard and interceptor', 'guarded', callEcho('echo_zod')),
  create: httpCell('create→complete in memory, one request', 'tasks', createTask),
  'create-get': httpCell('create→complete in memory and one tasks/get', 'tasks', createAndPoll),
  get: httpCell('tasks/get in memory', 'tasks', pollCompleted),
  list10: httpCell('tools/list, 10 tools', 'lists10', listTools(toolName(9))),
  list500: httpCell('tools/list, 500 tools', 'lists500', listTools(toolName(499))),
  'official-lean': httpCell('official server, lean', 'official-lean', callEcho('echo_zod')),
  official: httpCell('official server, documented', 'official', callEcho('echo_zod')),
  'official-list10': httpCell('official server, tools/list, 10 tools', 'official-lists10', listTools(toolName(9))),
  'official-list500': httpCell('official server, tools/list, 500 tools', 'official-lists500', listTools(toolName(499))),
};
